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
  const text = (name: string) => textOf(join(folder, '.beads', name))
  const [env, metadata, config] = await Promise.all([text('.env'), text('metadata.json'), text('config.yaml')])
  return [
    ...told('.beads/.env sets', variablesIn(env)),
    ...told('.beads/metadata.json names', serverIn(metadata)),
    ...told('.beads/config.yaml names', hostsIn(config)),
  ]
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

function variablesIn(text: string | null): string[] {
  if (text === null) return [TOO_MUCH]
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

function serverIn(text: string | null): string[] {
  if (text === null) return [TOO_MUCH]
  let value: unknown
  try {
    value = text === '' ? {} : JSON.parse(text)
  } catch {
    return [] // bd does not read it either
  }
  if (!isObject(value)) return []
  // `bd` takes no notice of upper case in keys.
  return Object.entries(value).flatMap(([name, one]) => {
    const key = name.toLowerCase()
    if (typeof one !== 'string' || (key !== 'dolt_server_host' && key !== 'dolt_server_socket')) return []
    return one === '' || (key === 'dolt_server_host' && HERE.test(one)) ? [] : [`the server ${one}`]
  })
}

/** `dolt.host: …`, and the same below `dolt:` or in braces. */
function hostsIn(text: string | null): string[] {
  if (text === null) return [TOO_MUCH]
  return configLines(unescaped(text)).flatMap((line) => {
    // A key in a line of its own, with its value in the next.
    if (/^\s*\?\s/.test(line)) return [TOO_MUCH]
    const [, key = '', value = ''] =
      /^[ \t]{0,40}["']?(?:dolt\.)?(host|socket)["']?[ \t]{0,40}:(.*)$/i.exec(line) ??
      /[{,]\s{0,40}["']?(?:dolt\.)?(host|socket)["']?\s{0,40}:([^,}]*)/i.exec(line) ??
      []
    const said = configValue(value)
    return key === '' || said === '' || (/^host$/i.test(key) && HERE.test(said)) ? [] : [`the server ${said}`]
  })
}

/** A key in quotes may be written by the numbers of its characters. */
const unescaped = (text: string): string =>
  text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U0000([\da-f]{4}))/gi, (_, x?: string, u?: string, long?: string) =>
    String.fromCharCode(Number.parseInt(x ?? u ?? long ?? '', 16)),
  )
