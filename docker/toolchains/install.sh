#!/bin/sh
# install.sh LIST: installs what LIST names, so that nobody but root can change it. Each source is asked by its own client,
# which checks what it gets: apt by Debian's keys, go by Go's checksum database, npm and pip by their registries' hashes.
set -euf
list=$1
mkdir -p /opt/toolchains
npm_folder=/opt/toolchains/npm

wanted() { sed -n "s|^$1 ||p" "$list"; }

bundle=/etc/ssl/certs/ca-certificates.crt
export NODE_EXTRA_CA_CERTS=$bundle PIP_CERT=$bundle SSL_CERT_FILE=$bundle HOME=/root

case "$(uname -m)" in
  x86_64) node=x64 bun=x64 ;;
  aarch64) node=arm64 bun=aarch64 ;;
  *) echo "There are no toolchains for $(uname -m)." >&2; exit 1 ;;
esac

debian=$(wanted debian)
if [ -n "$debian" ]; then
  echo "installing from Debian:" $debian
  mkdir -p /usr/share/man/man1 # slim images have none, and Java's packages make links in it
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $debian
fi

go=$(wanted go)
if [ -n "$go" ]; then
  echo "installing Go $go"
  export GOPATH=/tmp/go GOTOOLCHAIN="go$go"
  go version
  mv "$(go env GOROOT)" /usr/local/go
  unset GOPATH GOTOOLCHAIN
  chown -R 0:0 /usr/local/go
  chmod -R u+w,go+rX /usr/local/go
  chmod -R u+w /tmp/go
  rm -rf /tmp/go /root/.cache
  # Debian's Go was needed for the download only. The C compiler stays, because it was asked for by name.
  DEBIAN_FRONTEND=noninteractive apt-get purge -y -q --auto-remove golang-go
  for program in go gofmt; do ln -sf "../go/bin/$program" "/usr/local/bin/$program"; done
fi

maven=$(wanted maven)
if [ -n "$maven" ]; then
  echo "installing Maven $maven from Maven Central"
  mvn -B -q -C -Dmaven.repo.local=/tmp/m2 org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact="org.apache.maven:apache-maven:$maven:tar.gz:bin" -DoutputDirectory=/tmp/maven
  mkdir /opt/toolchains/maven
  tar -C /opt/toolchains/maven --strip-components 1 --no-same-owner -xzf "/tmp/maven/apache-maven-$maven-bin.tar.gz"
  rm -rf /tmp/m2 /tmp/maven
  chmod -R go+rX /opt/toolchains/maven
  # Debian's Maven was needed for the download only. The JDK stays, because it was asked for by name.
  DEBIAN_FRONTEND=noninteractive apt-get purge -y -q --auto-remove maven
  ln -sf /opt/toolchains/maven/bin/mvn /usr/local/bin/mvn
fi
apt-get clean
rm -rf /var/lib/apt/lists/*

# published NAME VERSION: prints the version if it was published, else the nearest newer one, else the newest.
least='const found = [JSON.parse(process.argv[1] || "[]")].flat().filter((one) => /^[0-9]+[.][0-9]+[.][0-9]+$/.test(one))
console.log(found.sort((a, b) => a.localeCompare(b, "en", { numeric: true }))[0] ?? "")'
published() {
  case $2 in *.*.*) ;; *) echo "$2"; return ;; esac # a series: its newest is taken
  [ -z "$(npm view "$1@$2" version 2>/dev/null)" ] || { echo "$2"; return; }
  near=$(node -e "$least" "$(npm view --json "$1@>$2" version 2>/dev/null || true)")
  near=${near:-$(npm view "$1" version 2>/dev/null || true)}
  [ -z "$near" ] || echo "installing $1 $near instead of $2, which does not exist" >&2
  echo "${near:-$2}"
}

set --
for version in $(wanted node); do set -- "$@" "node-linux-$node@$(published "node-linux-$node" "$version")"; done
for version in $(wanted deno); do set -- "$@" "@deno/linux-$node-glibc@$(published "@deno/linux-$node-glibc" "$version")"; done
for version in $(wanted bun); do set -- "$@" "@oven/bun-linux-$bun@$(published "@oven/bun-linux-$bun" "$version")"; done
for package in $(wanted npm); do set -- "$@" "${package%@*}@$(published "${package%@*}" "${package##*@}")"; done
if [ $# -gt 0 ]; then
  echo "installing from the npm registry: $*"
  npm install --prefix "$npm_folder" --ignore-scripts --no-audit --no-fund --no-update-notifier --omit=dev --cache /tmp/npm "$@"
  rm -rf /tmp/npm
  chown -R 0:0 "$npm_folder"
  chmod -R go+rX "$npm_folder"
  set +f
  for program in "$npm_folder"/node_modules/.bin/* \
    "$npm_folder/node_modules/@deno/linux-$node-glibc/deno" \
    "$npm_folder/node_modules/@oven/bun-linux-$bun/bin/bun"; do
    [ ! -f "$program" ] || ln -sf "$program" /usr/local/bin/
  done
  set -f
fi

for package in $(wanted pypi); do
  name=${package%%==*}
  echo "installing from PyPI: $package"
  python3 -m venv "/opt/toolchains/$name"
  case $name in
    poetry) beside=poetry-plugin-export ;; # writes its lock file down for pip
    pdm) beside='hishel<2' ;; # PDM 2.29 takes any, and does not start with a newer one
    *) beside= ;;
  esac
  "/opt/toolchains/$name/bin/pip" install --quiet --no-cache-dir --disable-pip-version-check "$package" $beside
  chmod -R go+rX "/opt/toolchains/$name"
  set +f
  for program in "/opt/toolchains/$name/bin"/*; do
    case "${program##*/}" in
      python* | pip* | activate* | Activate*) ;;
      *) ln -sf "$program" /usr/local/bin/ ;;
    esac
  done
  # Zig's package has its program where Python finds it.
  for program in "/opt/toolchains/$name/lib"/python3*/site-packages/ziglang/zig; do
    [ ! -f "$program" ] || ln -sf "$program" /usr/local/bin/
  done
  set -f
done
