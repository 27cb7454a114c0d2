import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { readPlainFile } from '../../process/plain-file.ts'
import { configLines, configValue } from '../config-lines.ts'
import { pathIn } from '../redirect.ts'

/*
 * `bd` obeys the files in `.beads`: it runs hooks, takes variables from a file, and asks the server that its settings
 * name. A clone brings such files along, unread by the person who cloned it. Hooks are switched off for each call
 * (run-bd.ts); the rest has no switch.
 */

/** The places to which files in `beads`, a `.beads`, would lead `bd`, as ends of a sentence; empty if there are none. */
export async function leadsElsewhere(beads: string): Promise<string[]> {
  const found = Object.entries(readers).map(async ([name, [verb, read]]) => {
    const text = await textOf(join(beads, name))
    return told(`.beads/${name} ${verb}`, text === null ? [TOO_MUCH] : read(text))
  })
  return (await Promise.all(found)).flat()
}

/** Hooks that `bd` would run. Git's hooks do not matter: git does not run for us here. */
export async function hooksIn(beads: string): Promise<string[]> {
  const hooks = join(beads, 'hooks')
  const names = await readdir(hooks).catch(() => [])
  const found = names
    .filter((name) => /^on_[a-z_]{1,40}$/.test(name))
    .map(async (name) => {
      const there = await stat(join(hooks, name)).catch(() => null)
      return there?.isFile() === true && (there.mode & 0o111) !== 0 ? [name] : []
    })
  return (await Promise.all(found)).flat().sort()
}

const MOST_BYTES = 100_000
const TOO_MUCH = 'more than Beadloom reads'
/** Variables in which people keep their login for a server of their own. */
const CREDENTIALS = /^BEADS_DOLT_(?:SERVER_)?(?:USER|PASSWORD)$/
const HERE = /^(?:|localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** The text of a file. A missing file is empty; null for one that cannot be read, which may say anything. */
const textOf = (path: string): Promise<string | null> =>
  readPlainFile(path, MOST_BYTES, 'no links').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? '' : null,
  )

const told = (verb: string, what: readonly string[]): string[] =>
  what.length === 0 ? [] : [`${verb} ${[...new Set(what)].slice(0, 3).map(plain).join(' and ')}`]

const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)

function variablesIn(text: string): string[] {
  return text.split(/\r?\n|\r/).flatMap((line) => {
    const name =
      line
        .trim()
        .replace(/^export\s/, '')
        .trim()
        .split(/[\s=:]/, 1)[0] ?? ''
    return name === '' || name.startsWith('#') || CREDENTIALS.test(name) ? [] : [name]
  })
}

/** Ignores the case of names, as Go's parser does. */
function ledBy(text: string): string[] {
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return [] // bd does not read it either
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, one]) => {
    if (typeof one !== 'string' || one === '') return []
    const name = key.toLowerCase()
    if (name === 'dolt_server_host') return HERE.test(one) ? [] : [`the server ${one}`]
    if (name === 'dolt_server_socket') return [`the server ${one}`]
    const isFolder = name === 'dolt_data_dir' || (name === 'database' && /^[/\\]|\.\./.test(one))
    return isFolder ? [`the database ${one}`] : []
  })
}

/** A key in any form of YAML: on a line of its own or within braces, and in any case. */
const KEY = /(?:^|[\s{,."'])(host|socket|db|data[-_]dir|backend[-_]plugins)["']?[ \t]*(?::(?=(.{0,300}))|\.)/gi
/** An alias, an anchor, a tag, a key on lines of its own, an escape: such a key may be another than it seems. */
const ODD = /(?:^|[\s{,[:])[*!&?]|"[^"]*\\|[\0\ufffd]/
const WHERE: Readonly<Record<string, string>> = { host: 'the server', socket: 'the server', db: 'the database' }

/**
 * Servers, databases and programs by their keys. A few keys do not need a parser, which would read them differently
 * from bd: anything written in an odd way is treated as dangerous.
 */
function settingsIn(text: string): string[] {
  return configLines(text).flatMap((line) => {
    if (/^\s*#/.test(line)) return []
    if (ODD.test(line)) return [TOO_MUCH]
    return [...line.matchAll(KEY)].flatMap(([, key = '', value = '']) => {
      const own =
        value
          .replace(/\s#[^]*$/, '')
          .split(/[,}]/, 1)[0]
          ?.trim() ?? ''
      const said = configValue(own)
      const name = key.toLowerCase().replace('_', '-')
      if (name === 'backend-plugins') return ['a program']
      if (name === 'host' && said !== '' && HERE.test(said)) return []
      // Quotes around nothing. No text at all would mean that the value is on the next line.
      if (said === '' && own !== '') return []
      return [`${WHERE[name] ?? 'the database'} ${said}`.trim()]
    })
  })
}

/** By the names of files in `.beads`: the effect of each, and the names in it that have it. */
const readers: Readonly<Record<string, readonly [verb: string, read: (text: string) => string[]]>> = {
  '.env': ['sets', variablesIn],
  'metadata.json': ['names', ledBy],
  // Without a metadata.json, bd reads its former name.
  'config.json': ['names', ledBy],
  'config.yaml': ['names', settingsIn],
  // It overrules config.yaml.
  'config.local.yaml': ['names', settingsIn],
  // bd runs where a redirect has led, and would follow another one from there.
  redirect: ['names', (text) => (pathIn(text) === null ? [] : [`the folder ${pathIn(text)}`])],
}
