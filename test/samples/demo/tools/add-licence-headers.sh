#!/bin/sh
# Puts the licence's short name on top of every source file that lacks it, with a test that keeps it there.
# Made to run as an agent: the task comes on standard input, progress goes to standard output.
set -eu
cd "$(dirname "$0")/.."

header='// SPDX-License-Identifier: MIT'
prompt=$(cat)
message=$(printf '%s\n' "$prompt" | sed -n 's/^.*Commit with message: "\(.*\)"$/\1/p' | head -n 1)
echo "Read a task of $(printf '%s\n' "$prompt" | wc -l | tr -d ' ') lines: ${message:-no commit asked for}"

changed=0
for file in src/*.js; do
  if [ "$(head -n 1 "$file")" = "$header" ]; then
    echo "  $file has its header"
    continue
  fi
  { echo "$header"; echo; cat "$file"; } > "$file.new"
  mv "$file.new" "$file"
  changed=$((changed + 1))
  echo "+ $file"
done
echo "$changed files changed"

cat > test/licence.test.js <<'TEST'
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'

const folder = new URL('../src/', import.meta.url)

test('every source file names its licence', async () => {
  for (const file of await readdir(folder)) {
    const text = await readFile(new URL(file, folder), 'utf8')
    assert.ok(text.startsWith('// SPDX-License-Identifier: MIT\n'), `${file} has no licence header`)
  }
})
TEST
echo "+ test/licence.test.js"

npm test

if [ -n "$message" ]; then
  git add src test
  if git diff --cached --quiet; then
    echo "Everything is in place already"
    mkdir -p notes
    echo "Looked at again: every file in src names its licence." >> notes/licences.md
    git add notes
  fi
  git commit -m "$message"
  git push -u origin HEAD
fi
