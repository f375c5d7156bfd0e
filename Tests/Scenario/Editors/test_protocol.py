"""apus lsp as clients see it that this project did not write: every message is held against the protocol's types.

APUS_SERVER is the program, APUS_WORKSPACE a folder with a project of birds.
"""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

FOLDER = pathlib.Path(os.environ["APUS_WORKSPACE"])


@pytest_lsp.fixture(
    params=["neovim@v0.9.1", "visual-studio-code@v1.65.2", "emacs@v29.1"],
    config=ClientServerConfig(server_command=[os.environ["APUS_SERVER"], "lsp", "--stdio"]),
)
async def client(request, lsp_client: LanguageClient):
    # What a server may ask of a client that says so, and this one does not know by itself.
    lsp_client.feature("client/registerCapability")(lambda params: None)
    name, _, version = request.param.partition("@")
    result = await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(f"{name}@{version}"),
            workspace_folders=[types.WorkspaceFolder(uri=FOLDER.as_uri(), name="birds")],
            root_uri=FOLDER.as_uri(),
        )
    )
    assert result.server_info.name == "apus"
    yield
    await lsp_client.shutdown_session()


def uri(name):
    return (FOLDER / name).as_uri()


def document(name):
    return types.TextDocumentIdentifier(uri=uri(name))


def opened(client, name, text, language="graphql"):
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            types.TextDocumentItem(uri=uri(name), language_id=language, version=1, text=text)
        )
    )


async def problems(client, name, wanted):
    """Waits until as much is told of a file as is wanted."""
    while len(client.diagnostics.get(uri(name), [])) != wanted:
        await client.wait_for_notification("textDocument/publishDiagnostics")
    return client.diagnostics.get(uri(name), [])


@pytest.mark.asyncio
async def test_diagnostics_come_and_go(client):
    opened(client, "new.graphql", "query New { birds { nam } }")
    found = await problems(client, "new.graphql", 1)
    assert found[0].message == 'Cannot query field "nam" on type "Bird". Did you mean "name"?'
    assert found[0].range.start == types.Position(0, 20)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=uri("new.graphql"), version=2),
            content_changes=[types.TextDocumentContentChangePartial(range=found[0].range, text="name")],
        )
    )
    await problems(client, "new.graphql", 0)


@pytest.mark.asyncio
async def test_every_request_is_answered_in_the_protocols_types(client):
    text = "query Every($n: Int) {\n  birds(first: $n) { ...Parts nam }\n}\n"
    opened(client, "every.graphql", text)
    await problems(client, "every.graphql", 1)
    name = document("every.graphql")
    spread = types.Position(1, 26)
    whole = types.Range(types.Position(0, 0), types.Position(3, 0))

    completion = await client.text_document_completion_async(
        types.CompletionParams(text_document=name, position=types.Position(1, 33))
    )
    assert completion.items[0].label == "name"
    resolved = await client.completion_item_resolve_async(completion.items[0])
    assert "What it is called." in resolved.documentation.value
    hover = await client.text_document_hover_async(types.HoverParams(text_document=name, position=spread))
    assert "fragment Parts on Bird" in hover.contents.value
    definition = await client.text_document_definition_async(
        types.DefinitionParams(text_document=name, position=spread)
    )
    assert definition.uri == uri("parts.graphql")
    references = await client.text_document_references_async(
        types.ReferenceParams(
            text_document=name, position=spread, context=types.ReferenceContext(include_declaration=True)
        )
    )
    assert {one.uri for one in references} >= {uri("every.graphql"), uri("parts.graphql")}
    help = await client.text_document_signature_help_async(
        types.SignatureHelpParams(text_document=name, position=types.Position(1, 15))
    )
    assert help.signatures[0].label.startswith("birds(")
    assert len(await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(text_document=name, position=types.Position(0, 13))
    )) == 2
    assert (await client.text_document_document_symbol_async(types.DocumentSymbolParams(name)))[0].name == "Every"
    assert (await client.workspace_symbol_async(types.WorkspaceSymbolParams("Parts")))[0].name == "Parts"
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=name,
            range=types.Range(types.Position(1, 31), types.Position(1, 31)),
            context=types.CodeActionContext(diagnostics=[]),
        )
    )
    assert actions[0].title == "Change nam to name"
    assert await client.text_document_code_lens_async(types.CodeLensParams(document("parts.graphql")))
    assert not await client.text_document_document_link_async(types.DocumentLinkParams(name))
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(name))
    assert await client.text_document_selection_range_async(
        types.SelectionRangeParams(text_document=name, positions=[spread])
    )
    assert (await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(name))).data
    assert not await client.text_document_inlay_hint_async(types.InlayHintParams(text_document=name, range=whole))
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    assert await client.text_document_formatting_async(types.DocumentFormattingParams(name, options))
    assert await client.text_document_range_formatting_async(
        types.DocumentRangeFormattingParams(text_document=name, range=whole, options=options)
    )
    prepared = await client.text_document_prepare_rename_async(
        types.PrepareRenameParams(text_document=name, position=spread)
    )
    assert prepared.placeholder == "Parts"
    renamed = await client.text_document_rename_async(
        types.RenameParams(text_document=name, position=spread, new_name="Wings")
    )
    assert renamed.changes or renamed.document_changes
    items = await client.text_document_prepare_call_hierarchy_async(
        types.CallHierarchyPrepareParams(text_document=name, position=spread)
    )
    calls = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(items[0]))
    assert "Every" in [call.from_.name for call in calls]


@pytest.mark.asyncio
async def test_many_requests_at_once_are_each_answered(client):
    opened(client, "many.graphql", "{ birds { name } }")
    params = types.HoverParams(text_document=document("many.graphql"), position=types.Position(0, 3))
    pending = [client.text_document_hover_async(params) for _ in range(200)]
    for answer in pending:
        assert "birds" in (await answer).contents.value
