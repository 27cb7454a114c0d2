import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { readPlainFile } from '../../process/plain-file.ts'
import { configLines, configValue } from '../config-lines.ts'

/*
 * `bd` obeys what lies in `.beads`: it runs hooks, takes variables from a file, and asks the server that its settings
 * name. A clone brings such files along, and whoever cloned it has not read them. Hooks are turned off for each call
 * (run-bd.ts); of the rest there is no switch.
 */

/** Where `bd` would be led by files in `.beads`, as ends of a sentence; empty: nowhere. */
export async function leadsElsewhere(folder: string): Promise<string[]> {
  const found = Object.entries(readers).map(async ([name, [verb, read]]) => {
    const text = await textOf(join(folder, '.beads', name))
    return told(`.beads/${name} ${verb}`, text === null ? [TOO_MUCH] : read(text))
  })
  return (await Promise.all(found)).flat()
}

/** Hooks of `bd` that would run; git runs its own, and not for us. */
export async function hooksIn(folder: string): Promise<string[]> {
  const hooks = join(folder, '.beads', 'hooks')
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
/** A person keeps there who they are at a server of their own. */
const CREDENTIALS = /^BEADS_DOLT_(?:SERVER_)?(?:USER|PASSWORD)$/
const HERE = /^(?:|localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** A file that is not there is empty; one that cannot be read may say anything: null. */
const textOf = (path: string): Promise<string | null> =>
  readPlainFile(path, MOST_BYTES).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? '' : null))

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

/** What Go's parser does not care about: upper and lower case of a name. */
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

/** In any of the ways in which YAML writes a key: in a line of its own or within braces, and whatever its case. */
const KEY = /(?:^|[\s{,."'])(host|socket|db|data[-_]dir|backend[-_]plugins)["']?[ \t]*(?::(?=(.{0,300}))|\.)/gi
/** An alias, an anchor, a tag, a key in lines of its own, an escape: a key may be something else than it seems. */
const ODD = /(?:^|[\s{,[:])[*!&?]|"[^"]*\\|[\0\ufffd]/
const WHERE: Readonly<Record<string, string>> = { host: 'the server', socket: 'the server', db: 'the database' }

/**
 * Servers, databases and programs by their keys. A few keys do not need a parser, which would read them differently than bd:
 * what is written in an odd way counts as anything.
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
      // Nothing at all: it is in the next line.
      if (said === '' && own !== '') return []
      return [`${WHERE[name] ?? 'the database'} ${said}`.trim()]
    })
  })
}

/** By the names of files in `.beads`: what each does, and by which names in it. */
const readers: Readonly<Record<string, readonly [verb: string, read: (text: string) => string[]]>> = {
  '.env': ['sets', variablesIn],
  'metadata.json': ['names', ledBy],
  // Where there is no metadata.json, bd reads its former name.
  'config.json': ['names', ledBy],
  'config.yaml': ['names', settingsIn],
  // It overrules config.yaml.
  'config.local.yaml': ['names', settingsIn],
}
