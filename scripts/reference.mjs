// `node scripts/reference.mjs` writes docs/configuration/reference.md: every key of beadloom.json, every flag, variable
// and key of config.json, from the schemas and words that the server itself uses. `--check` only reports whether the
// page is up to date.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { linksOf } from './reference-pages.mjs'
import { main, node24, root, say, Stop } from './run.mjs'

const file = join(root, 'docs', 'configuration', 'reference.md')
const load = (path) => import(pathToFileURL(join(root, path)).href)

async function page() {
  const project = JSON.parse(readFileSync(join(root, 'docs', 'beadloom.schema.json'), 'utf8'))
  const { configWords, variableWords } = await load('apps/server/src/process/settings/config-words.ts')
  const settings = await load('apps/server/src/process/settings/settings.ts')
  const { serverSettingTable } = await load('apps/server/src/app/settings/server-setting-table.ts')
  const { z } = await import(
    pathToFileURL(createRequire(join(root, 'apps', 'server', 'package.json')).resolve('zod/mini')).href
  )
  const server = z.toJSONSchema(settings.ConfigFile)
  const flags = Object.fromEntries(serverSettingTable.map(({ key, help }) => [key, help]))
  const words = from({ ...flags, ...configWords })
  const inFile = rowsOf(server, words).filter(({ key }) => !(key in flags))
  words.end()
  return [
    '# All settings',
    'Made by `scripts/reference.mjs` from the schemas that the server validates with: edit those, or the words beside them. `*` in a key stands for any name, or for each entry of a list.',
    '## beadloom.json',
    'In the root folder of the repository, read from the base branch. Every key is optional. [The same as a JSON schema](../beadloom.schema.json), for editors.',
    keyTable(rowsOf(project, own), 'beadloom.json'),
    '## Flags and variables',
    'A flag wins over its variable, which wins over the key in `config.json`. Flags are those of `beadloom start`; with npm they follow two hyphens: `npm start -- --port 4700`.',
    flagTable(settings, serverSettingTable),
    '## Variables only',
    'The server reads these from its environment and from nowhere else.',
    table(
      ['variable', 'default', 'meaning'],
      Object.entries(variableWords).map(([names, text]) => {
        const { meaning, otherwise } = split(text)
        return [names.replaceAll(/\w+/g, '`$&`'), otherwise, meaning]
      }),
    ),
    '## config.json',
    'In the data folder, read when the server starts. Every key is optional unless its row says otherwise. Keys that have a flag are in the table above.',
    keyTable(inFile, 'config.json'),
    '',
  ].join('\n\n')
}

/**
 * The children of a node, by their names for people: `*` for any name, for each entry, and for names that are all
 * alike.
 */
function childrenOf(node) {
  const found = new Map()
  const own = Object.entries(node.properties ?? {})
  const alike = own.length > 1 && new Set(own.map(([, child]) => JSON.stringify(child))).size === 1
  if (alike && own.every(([, child]) => child.properties)) found.set('*', own[0][1])
  else for (const [name, child] of own) found.set(name, child)
  for (const one of [...(node.anyOf ?? []), ...(node.oneOf ?? [])])
    for (const [name, child] of childrenOf(one)) {
      const seen = found.get(name)
      // A key of several forms, with another value in each.
      found.set(name, seen === undefined ? child : { ...seen, oneOf: [...(seen.oneOf ?? [seen]), child] })
    }
  for (const one of [node.additionalProperties, node.items])
    if (one !== null && typeof one === 'object')
      for (const [name, child] of childrenOf(one)) found.set(`*.${name}`, child)
  return found
}

/** The words of the schema itself. */
const own = { of: (_, child) => child.description, deeper: () => true }

/** Words from a table, down to the level that has some. A key without words, or words without a key, is an error. */
function from(words) {
  const left = new Set(Object.keys(words))
  const deeper = (key) => Object.keys(words).some((word) => word.startsWith(`${key}.`))
  const of = (key) => {
    if (!(key in words) && !deeper(key)) throw new Stop(`config-words.ts has no description of "${key}": add one.`)
    left.delete(key)
    return words[key]
  }
  const end = () => {
    if (left.size > 0) throw new Stop(`config-words.ts describes keys that do not exist: ${[...left].join(', ')}`)
  }
  return { of, deeper, end }
}

function rowsOf(node, words, path = '') {
  return [...childrenOf(node)].flatMap(([name, child]) => {
    const key = path === '' ? name : `${path}.${name}`
    const text = words.of(key, child)
    const row = text === undefined ? [] : [{ key, value: valueOf(child), text }]
    return words.deeper(key) ? [...row, ...rowsOf(child, words, key)] : row
  })
}

/** A larger bound comes from JavaScript's numbers, not from the setting. */
const MOST = 9_000_000_000_000_000

/** The valid values, in a few words. */
function valueOf(node) {
  const several = node.anyOf ?? node.oneOf
  if (several) return [...new Set(several.map(valueOf))].join(', or ')
  if (node.enum) return node.enum.map((one) => code(JSON.stringify(one))).join(', ')
  if ('const' in node) return code(JSON.stringify(node.const))
  const bounds = boundsOf(node)
  switch (node.type) {
    case 'boolean':
      return '`true`, `false`'
    case 'integer':
      return `whole number${bounds}`
    case 'number':
      return `number${bounds}`
    case 'string':
      return node.maxLength === undefined ? 'text' : `text, at most ${node.maxLength}`
    case 'array':
      return node.maxItems === undefined ? 'list' : `list, at most ${node.maxItems}`
    case 'null':
      return '`null`'
    default:
      return 'object'
  }
}

function boundsOf({ type, minimum, exclusiveMinimum, maximum = MOST }) {
  const least = minimum ?? (type === 'integer' && exclusiveMinimum !== undefined ? exclusiveMinimum + 1 : undefined)
  const bounded = maximum < MOST
  if (least !== undefined && least > -MOST) return bounded ? `, ${least} to ${maximum}` : ` from ${least}`
  if (exclusiveMinimum !== undefined)
    return bounded ? ` above ${exclusiveMinimum}, at most ${maximum}` : ` above ${exclusiveMinimum}`
  return ''
}

/** Separates the sentence that begins with "Default:" from all others. */
function split(text) {
  const [, before, otherwise, after] = /^(.*?)\s*\bDefault: (.*?)\.(?=\s|$)\s*(.*)$/s.exec(text) ?? [null, text, '', '']
  const value = otherwise === 'on' ? 'true' : otherwise
  return {
    meaning: marked([before, after].filter((part) => part !== '').join(' ')),
    otherwise: /^[\d.]+$/.test(value) ? code(value) : marked(value),
  }
}

const code = (text) => `\`${text}\``
/** JSON, flags, addresses, paths, files, variables, and keys whose names are no English words. */
const WRITTEN = new RegExp(
  [
    /\{\{\w+\}\}|\{"[^}]*\}|\["[^\]]*\]|\[\]|\{\}|"[^"\n]*": "[^"\n]*"|"[^"\n]*"/,
    /--[a-z][a-z-]+|\b(?:true|false|null)\b|\b(?:https?|tcp):\/\/\S*/,
    /(?<![\w./])~?\/[a-z][\w./-]*\w|\b[\w.-]+\.(?:json|pem)\b|(?<= )\.[a-z]+\b/,
    /\b[A-Z]+(?:_[A-Z]+)+\b|\b(?!gVisor)[a-z]+(?:\.[a-z]+)*(?:[A-Z_][A-Za-z]*)+\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Marks what people type as code, and escapes everything else for Markdown. */
function marked(text) {
  let out = ''
  let from = 0
  for (const match of text.matchAll(WRITTEN)) {
    out += escaped(text.slice(from, match.index)) + code(match[0].replaceAll('|', '\\|'))
    from = match.index + match[0].length
  }
  return out + escaped(text.slice(from))
}
const escaped = (text) => text.replaceAll(/[|*<_]/g, '\\$&').replaceAll('\n', ' ')

function keyTable(rows, of) {
  const links = linksOf(of)
  const lines = rows.map(({ key, value, text }) => {
    const { meaning, otherwise } = split(text)
    return [code(key), value, otherwise, withLink(meaning, links.link(key))]
  })
  links.end()
  return table(['key', 'value', 'default', 'meaning'], lines)
}

const withLink = (meaning, page) => (page === null ? meaning : `${meaning} [More](${page})`)

function flagTable({ readSettings, variables, flagName }, settingTable) {
  const folders = { scenarios: 'test/scenarios' }
  const defaults = readSettings({ flags: {}, env: { HOME: '~' }, configFile: null, cwd: '/', defaults: folders })
  const shown = { warm: 'as many as slots', scenarios: '`test/scenarios` of the checkout' }
  const links = linksOf('flag')
  const rows = settingTable.map((row) => {
    const value = row.of(defaults)
    const flag = value === true ? flagName(row.key).replace(/^--/, '--no-') : flagName(row.key)
    const otherwise = shown[row.key] ?? (value === null ? 'none' : code(String(value)))
    const names = [code(flag), code(variables[row.key]), code(row.key)]
    return [...names, flagValueOf(row), otherwise, withLink(marked(row.help), links.link(row.key))]
  })
  links.end()
  const folder = '`beadloom` in `$XDG_DATA_HOME`, else `~/.local/share/beadloom`'
  const data = ['`--data`', '`BEADLOOM_DATA`', '', 'folder', folder, 'The data folder.']
  return table(['flag', 'variable', 'key', 'value', 'default', 'meaning'], [data, ...rows])
}

function flagValueOf({ kind, choices, least, most }) {
  if (kind === 'choice') return choices.map(code).join(', ')
  if (kind === 'number') return `${least} to ${most}`
  return kind === 'boolean' ? '`true`, `false`' : 'text'
}

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

await main(async () => {
  // The schemas are TypeScript, which Node runs directly from version 24 on.
  if (Number(process.versions.node.split('.')[0]) < 24) {
    if (!existsSync(node24)) throw new Stop('Beadloom is not set up yet: run npm start once.')
    process.exitCode = spawnSync(node24, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1
    return
  }
  const wanted = await page()
  const found = existsSync(file) ? readFileSync(file, 'utf8') : null
  if (found === wanted) return say('docs/configuration/reference.md is up to date.')
  if (process.argv.includes('--check'))
    throw new Stop('docs/configuration/reference.md is out of date: run node scripts/reference.mjs')
  writeFileSync(file, wanted)
  say('docs/configuration/reference.md written.')
})
