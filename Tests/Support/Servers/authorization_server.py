"""An OAuth 2 provider with Authlib, and a GraphQL API that accepts only its tokens.

Prints its URL on standard output, then a line for each request, and serves until standard input closes. The user is
"amelia"; the page /approve signs her in without a password.

    /.well-known/openid-configuration   the metadata of the issuer
    /authorize, /token, /device, /revoke
    /device/enter?user_code=CODE        approves a device code; with &deny=1 declines it
    /graphql                            { viewer } and subscription { ticks }, with a token; login(password) without
    /control?lifetime=5&interval=1      changes the lifetime of tokens and codes, in seconds
    /control?revoke=all                 makes all access tokens invalid; revoke=sessions also the refresh tokens
    /control                            the settings, and the number of tokens that were issued
    /control?clock=N                    sends dates that are N seconds ahead

Refresh tokens are rotated: each is accepted once, and a second use ends the sign-in, as RFC 9700 recommends.
A second port, printed on the second line, has the subscription over a WebSocket with the token in connection_init.
"""

import json
import secrets
import sys
import threading
import time
from email.utils import formatdate

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import (
    DeviceAuthorizationEndpoint,
    DeviceCodeGrant,
    DeviceCredentialDict,
)
from flask import Flask, jsonify, request
from graphql import build_schema, graphql_sync
from websockets.sync.server import serve
from werkzeug.serving import WSGIRequestHandler, make_server

LOCK = threading.RLock()
SETTINGS = {"lifetime": 3600, "device": 600, "interval": 1, "clock": 0}
TOKENS, CODES, DEVICES, DECISIONS = [], {}, {}, {}


def say(text):
    print(text, flush=True)


class Client(ClientMixin):
    def __init__(self, client_id, secret, kinds, redirect="http://127.0.0.1"):
        self.client_id, self.secret, self.kinds, self.redirect = client_id, secret, kinds, redirect

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return self.redirect

    def get_allowed_scope(self, scope):
        return " ".join(word for word in (scope or "").split() if word in ("birds", "offline_access"))

    def check_redirect_uri(self, redirect_uri):
        # Any port of the loopback address (RFC 8252, section 7.3).
        return redirect_uri.startswith("http://127.0.0.1:") and redirect_uri.endswith("/callback")

    def check_client_secret(self, client_secret):
        return secrets.compare_digest(self.secret, client_secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "none" if not self.secret else method in ("client_secret_basic", "client_secret_post")

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in self.kinds


DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
CLIENTS = {
    client.client_id: client
    for client in [
        Client("robot", "robot-secret-5f1c", ["client_credentials"]),
        Client("apus", "", ["authorization_code", "refresh_token", DEVICE]),
    ]
}


class Token(TokenMixin):
    def __init__(self, fields, client, user, family):
        self.fields, self.client, self.user, self.family = fields, client, user, family
        self.issued, self.revoked, self.refresh_used = time.time(), False, False

    def check_client(self, client):
        return self.client == client.client_id

    def get_scope(self):
        return self.fields.get("scope", "")

    def get_expires_in(self):
        return self.fields["expires_in"]

    def is_expired(self):
        return time.time() >= self.issued + self.fields["expires_in"]

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return self.user

    def get_client(self):
        return CLIENTS[self.client]


def save_token(fields, req):
    with LOCK:
        family = getattr(req.refresh_token, "family", None) or secrets.token_hex(4)
        TOKENS.append(Token(fields, req.client.client_id, req.user, family))
    say(f"token {req.payload.grant_type.rsplit(':', 1)[-1]} {'rotated' if req.refresh_token else 'new'}")


class AuthorizationCode(dict):
    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]


class AuthorizationCodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def save_authorization_code(self, code, request):
        data = request.payload.data
        CODES[code] = AuthorizationCode(
            code=code, client_id=request.client.client_id, redirect_uri=request.payload.redirect_uri,
            scope=request.payload.scope or "", user=request.user, code_challenge=data.get("code_challenge"),
            code_challenge_method=data.get("code_challenge_method"),
        )
        item = CODES[code]
        item.code_challenge, item.code_challenge_method = item["code_challenge"], item["code_challenge_method"]

    def query_authorization_code(self, code, client):
        item = CODES.get(code)
        return item if item and item["client_id"] == client.client_id else None

    def delete_authorization_code(self, authorization_code):
        CODES.pop(authorization_code["code"], None)

    def authenticate_user(self, authorization_code):
        return authorization_code["user"]


class RefreshTokenGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        with LOCK:
            for token in TOKENS:
                if token.fields.get("refresh_token") != refresh_token:
                    continue
                if token.refresh_used:
                    say("refresh token used twice")
                    for other in TOKENS:
                        if other.family == token.family:
                            other.revoked = other.refresh_used = True
                    return None
                token.refresh_used = True
                return token

    def authenticate_user(self, refresh_token):
        return refresh_token.user

    def revoke_old_credential(self, refresh_token):
        refresh_token.revoked = True


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic"]

    def __init__(self, server):
        super().__init__(server)
        self.EXPIRES_IN, self.INTERVAL = SETTINGS["device"], SETTINGS["interval"]

    def get_verification_uri(self):
        return request.host_url + "device/enter"

    def save_device_credential(self, client_id, scope, data):
        DEVICES[data["device_code"]] = dict(
            data, client_id=client_id, scope=scope or "", expires_at=time.time() + SETTINGS["device"], polled=0.0)


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic"]

    def query_device_credential(self, device_code):
        data = DEVICES.get(device_code)
        return data and DeviceCredentialDict(data)

    def query_user_grant(self, user_code):
        return DECISIONS.get(user_code)

    def should_slow_down(self, credential):
        data = DEVICES[credential["device_code"]]
        early = time.time() - data["polled"] < SETTINGS["interval"] - 0.5
        data["polled"] = time.time()
        return early


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return next((token for token in TOKENS if token.fields["access_token"] == token_string), None)


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic"]

    def query_token(self, token_string, token_type_hint):
        return next(
            (t for t in TOKENS if token_string in (t.fields["access_token"], t.fields.get("refresh_token"))), None)

    def revoke_token(self, token, request):
        for other in TOKENS:
            if other.family == token.family:
                other.revoked = other.refresh_used = True
        say("revoked")


app = Flask("authorization_server")
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {}
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, query_client=CLIENTS.get, save_token=save_token)


def expiration(client, grant_type):
    return SETTINGS["lifetime"]


from authlib.oauth2.rfc6750 import BearerTokenGenerator  # noqa: E402

server.register_token_generator(
    "default",
    BearerTokenGenerator(
        lambda **_: "at-" + secrets.token_urlsafe(24), lambda **_: "rt-" + secrets.token_urlsafe(24), expiration))
for grant in [(AuthorizationCodeGrant, [CodeChallenge(required=True)]), (RefreshTokenGrant,), (DeviceGrant,),
              (grants.ClientCredentialsGrant,)]:
    server.register_grant(*grant)
server.register_endpoint(DeviceEndpoint)
server.register_endpoint(Revocation)
protect = ResourceProtector()
protect.register_token_validator(Validator())


@app.get("/.well-known/openid-configuration")
def metadata():
    url = request.host_url.rstrip("/")
    return jsonify(
        issuer=url, token_endpoint=url + "/token", authorization_endpoint=url + "/authorize",
        device_authorization_endpoint=url + "/device", revocation_endpoint=url + "/revoke",
        token_endpoint_auth_methods_supported=["none", "client_secret_basic", "client_secret_post"],
        code_challenge_methods_supported=["S256"])


@app.get("/authorize")
def authorize():
    # A browser would show a form here. The user agrees, or declines with &deny=1 of a script that plays the browser.
    if request.args.get("deny"):
        return server.create_authorization_response(grant_user=None, grant=server.get_consent_grant())
    return server.create_authorization_response(grant_user="amelia", grant=server.get_consent_grant(end_user="amelia"))


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/device")
def device():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.get("/device/enter")
def enter():
    DECISIONS[request.args["user_code"]] = ("amelia", not request.args.get("deny"))
    return "done"


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.get("/control")
def control():
    for name in SETTINGS:
        if name in request.args:
            SETTINGS[name] = int(request.args[name])
    with LOCK:
        for token in TOKENS if "revoke" in request.args else []:
            token.revoked = True
            token.refresh_used = token.refresh_used or request.args["revoke"] == "sessions"
    return jsonify({**SETTINGS, "issued": len(TOKENS)})


SCHEMA = build_schema(
    "type Query { viewer: String } type Mutation { login(password: String!): Session } "
    "type Session { token: String } type Subscription { ticks(count: Int!): Int }")


def login(*_, password):
    if password != "sesame-77c2":
        raise ValueError("wrong password")
    fields = {"access_token": "lt-" + secrets.token_urlsafe(24), "expires_in": SETTINGS["lifetime"], "scope": ""}
    with LOCK:
        TOKENS.append(Token(fields, "apus", "amelia", secrets.token_hex(4)))
    say("token login new")
    return {"token": fields["access_token"]}


def user_of(header):
    token = Validator().authenticate_token((header or "").removeprefix("Bearer "))
    return None if token is None or token.is_expired() or token.is_revoked() else token.user or "robot"


@app.post("/graphql")
def graphql():
    body = request.get_json()
    user = user_of(request.headers.get("Authorization"))
    say(f"graphql {user or 'refused'}")
    if user is None and "login" not in body["query"]:
        return jsonify(errors=[{"message": "sign in"}]), 401
    result = graphql_sync(
        SCHEMA, body["query"], {"viewer": user, "login": login}, variable_values=body.get("variables"))
    return jsonify(result.formatted)


def subscribe(socket):
    init = json.loads(socket.recv())
    user = user_of((init.get("payload") or {}).get("Authorization"))
    say(f"websocket {user or 'refused'}")
    if user is None:
        return socket.close(4403, "Forbidden")
    socket.send(json.dumps({"type": "connection_ack"}))
    for message in map(json.loads, socket):
        if message["type"] == "subscribe":
            for number in range((message["payload"].get("variables") or {}).get("count", 2)):
                socket.send(json.dumps({"id": message["id"], "type": "next", "payload": {"data": {"ticks": number}}}))
            socket.send(json.dumps({"id": message["id"], "type": "complete"}))


class Quiet(WSGIRequestHandler):
    def log_request(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        return formatdate((timestamp or time.time()) + SETTINGS["clock"], usegmt=True)


http = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
socket = serve(subscribe, "127.0.0.1", 0, subprotocols=["graphql-transport-ws"])
threading.Thread(target=http.serve_forever, daemon=True).start()
threading.Thread(target=socket.serve_forever, daemon=True).start()
say(f"http://127.0.0.1:{http.server_port}")
say(f"http://127.0.0.1:{socket.socket.getsockname()[1]}/graphql")
sys.stdin.read()
