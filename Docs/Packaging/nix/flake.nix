{
  description = "Apus, a GraphQL explorer for the terminal";

  # Used from a checkout: nix build 'path:Docs/Packaging/nix' --override-input apus path:.
  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";
  inputs.apus = {
    url = "path:../../..";
    flake = false;
  };

  outputs = { self, nixpkgs, apus }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      forEach = function: nixpkgs.lib.genAttrs systems (system: function nixpkgs.legacyPackages.${system});
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.swift.stdenv.mkDerivation {
          pname = "apus";
          version = "0.2.0";
          src = apus;

          nativeBuildInputs = [ pkgs.swift pkgs.swiftpm pkgs.pkg-config pkgs.makeWrapper ];
          buildInputs = with pkgs; [
            curl
            jq
            libmicrohttpd
            libyaml
            ncurses
            openssl
            simdjson
            sqlite
            utf8proc
            wslay
          ];

          dontUseSwiftpmBuild = true;
          dontConfigure = true;
          # It is linked without symbols.
          dontStrip = true;

          installPhase = ''
            APUS_BUILD_FLAGS=--disable-sandbox bash ./install.sh --prefix $out
            rm $out/share/apus/installed-files
          '';

          # Libraries that are loaded on first use must be found in the store.
          postFixup = ''
            wrapProgram $out/bin/apus --prefix LD_LIBRARY_PATH : ${
              pkgs.lib.makeLibraryPath [ pkgs.curl pkgs.jq pkgs.libmicrohttpd pkgs.libsecret pkgs.zlib pkgs.brotli pkgs.zstd ]
            }
          '';

          meta = {
            description = "GraphQL explorer for the terminal";
            homepage = "https://apus.example";
            license = [ pkgs.lib.licenses.mit pkgs.lib.licenses.asl20 ];
            mainProgram = "apus";
            # Older compilers cannot read its manifest.
            broken = pkgs.lib.versionOlder pkgs.swift.version "6.1";
          };
        };
      });
    };
}
