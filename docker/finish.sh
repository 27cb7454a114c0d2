#!/bin/sh
# The last steps of the base image, inside it, whichever way it was made.
set -eu

# npm's registry tarball unpacks as `package`. Its links are made here because a tarball cannot hold them.
modules=/usr/local/lib/node_modules
mv "$modules/package" "$modules/npm"
chown -R 0:0 "$modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ln -sf ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
chmod 755 "$modules/npm/bin/npm-cli.js" "$modules/npm/bin/npx-cli.js" /usr/local/bin/node
chown 0:0 /usr/local/bin/node

groupadd --gid 1000 agent
useradd --uid 1000 --gid 1000 --create-home --home-dir /home/agent --shell /bin/bash agent

sh /tmp/kit/add-ca.sh /tmp/kit/ca.pem
rm -rf /tmp/kit

node --version
npm --version
git --version
