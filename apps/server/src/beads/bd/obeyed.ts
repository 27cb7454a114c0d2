import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlainFile } from '../../process/plain-file.ts'
import { clientIn, metadataIn, redirectIn, routesIn, settingsIn, TOO_MUCH } from './allowed-settings.ts'

/*
 * `bd` obeys the files in `.beads`: it runs hooks, takes variables from a file, and asks the server that its settings
 * name. A clone brings such files along, unread by the person who cloned it. Hooks and some settings are overruled for
 * each call (run-bd.ts); the rest has no switch.
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
/** Variables in which people keep their login for a server of their own. */
const CREDENTIALS = /^BEADS_DOLT_(?:SERVER_)?(?:USER|PASSWORD)$/

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

/** By the names of files in `.beads`: the effect of each, and the names in it that have it. */
const readers: Readonly<Record<string, readonly [verb: string, read: (text: string) => string[]]>> = {
  '.env': ['sets', variablesIn],
  'metadata.json': ['names', metadataIn],
  // Without a metadata.json, bd reads its former name.
  'config.json': ['names', metadataIn],
  'config.yaml': ['names', settingsIn],
  // It overrules config.yaml.
  'config.local.yaml': ['names', settingsIn],
  'proxied_server_client_info.json': ['names', clientIn],
  'routes.jsonl': ['names', routesIn],
  redirect: ['names', redirectIn],
}
