#!/bin/sh
# Adds the certificates of a PEM file to the image's trust store; those it has already are left out.
#
#   add-ca.sh CA.pem [COPY]
#
# COPY, if given, becomes the whole resulting bundle, for images whose distribution keeps it elsewhere or has none.
set -eu
extra=$1
copy=${2:-}

bundle=
for path in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem; do
  if [ -s "$path" ]; then bundle=$path; break; fi
done

# A file for each certificate, because update-ca-certificates skips files that hold several.
new=$(mktemp -d)
[ ! -s "$extra" ] || awk -v out="$new" '
  /-----BEGIN CERTIFICATE-----/ { inside = 1; text = ""; next }
  /-----END CERTIFICATE-----/ {
    if (inside && !(text in seen)) {
      seen[text] = 1
      if (FILENAME != ARGV[1]) {
        file = out "/beadloom-" ++count ".crt"
        printf "-----BEGIN CERTIFICATE-----\n%s-----END CERTIFICATE-----\n", text > file
        close(file)
      }
    }
    inside = 0
    next
  }
  inside { sub(/\r$/, ""); text = text $0 "\n" }
' "${bundle:-/dev/null}" "$extra"

if ls "$new"/*.crt >/dev/null 2>&1; then
  if [ -n "$bundle" ] && command -v update-ca-certificates >/dev/null 2>&1; then
    mkdir -p /usr/local/share/ca-certificates
    # Named by their content, because the base image may hold some that were added in the same way.
    for one in "$new"/*.crt; do
      cp "$one" "/usr/local/share/ca-certificates/beadloom-$(sha256sum <"$one" | cut -c1-16).crt"
    done
    update-ca-certificates >/dev/null
  elif [ -n "$bundle" ]; then
    cat "$new"/*.crt >> "$bundle"
  fi
fi
if [ -n "$copy" ]; then
  if [ -n "$bundle" ]; then cat "$bundle" > "$copy"; else cat "$new"/*.crt > "$copy" 2>/dev/null || : > "$copy"; fi
  chmod 644 "$copy"
fi
rm -rf "$new"
