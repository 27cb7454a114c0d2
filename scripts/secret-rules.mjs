import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '../packages/core/node_modules/smol-toml/dist/index.js'
import { root, say } from './run.mjs'

/*
 * Makes packages/core/src/secrets/rules.json from gitleaks' rules:
 *
 *   node scripts/secret-rules.mjs path/to/gitleaks/config/gitleaks.toml v8.30.1
 */

const [file, version] = process.argv.slice(2)
if (!file || !version) {
  say('Usage: node scripts/secret-rules.mjs GITLEAKS_TOML VERSION')
  process.exit(2)
}

/**
 * Rules that are left out: for values that are public although they belong to a key, and for files, which have our own
 * rules.
 */
const left = /-(?:client-id|access-id|user-api-id|pub(?:lic)?-(?:api-)?key|pub-key|publishable-api-key)$|^pkcs12-file$/

const { rules, allowlist } = parse(readFileSync(file, 'utf8'))

const allowOf = ({ regexes, stopwords, paths, regexTarget, condition }) => ({
  ...(regexTarget && { target: regexTarget }),
  ...(condition === 'AND' && { all: true }),
  ...(paths && { paths }),
  ...(regexes && { regexes }),
  ...(stopwords && { words: stopwords }),
})

const kept = rules
  .filter(({ id, regex }) => regex !== undefined && !left.test(id))
  .map(({ id, regex, keywords, entropy, path, secretGroup, allowlists }) => ({
    id,
    regex,
    keywords,
    ...(entropy && { entropy }),
    ...(path && { path }),
    ...(secretGroup && { group: secretGroup }),
    ...(allowlists && { allow: allowlists.map(allowOf) }),
  }))

const from = `gitleaks ${version}, config/gitleaks.toml`
const licence =
  'MIT License. Copyright (c) 2019 Zachary Rice. Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.'
const { paths, regexes, stopwords } = allowlist
// A file's name alone does not make it a picture, and a lock file has passwords in addresses: both are read like any
// other file.
const read = paths.filter((path) => !path.startsWith(String.raw`(?i)\.(?:`) && !/lock(?:file)?(?:\)|\$|\|)/.test(path))
const allow = JSON.stringify({ paths: read, regexes, words: stopwords })
// One rule on each line, so that a diff is readable.
const lines = kept.map((rule) => JSON.stringify(rule)).join(',\n')
const text = `{"from":${JSON.stringify(from)},\n"licence":${JSON.stringify(licence)},\n"allow":${allow},\n"rules":[\n${lines}\n]}\n`
writeFileSync(join(root, 'packages/core/src/secrets/rules.json'), text)
say(`${kept.length} rules`)
