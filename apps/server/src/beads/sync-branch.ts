import { basename, join, resolve } from 'node:path'
import { BD_CONFIG, MOST_BD_CONFIG } from '../ports/tracker.ts'
import { readPlainFile } from '../process/plain-file.ts'
import { configLines, configValue } from './config-lines.ts'

/*
 * Before 1.0, `bd` could keep its beads on a separate branch, which `.beads/config.yaml` names. The file on every other
 * branch is then an outdated copy.
 */

/** `sync-branch: NAME`, `sync.branch: NAME`, or `branch: NAME` below or after `sync:`; null if there is none. */
export function syncBranchIn(config: string): string | null {
  let section = ''
  for (const line of configLines(config)) {
    const [, indent = '', name = '', value = ''] =
      /^([ \t]{0,40})["']?([\w.-]{1,40})["']?[ \t]{0,40}:(.*)$/.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '') continue
    if (indent === '') section = key
    const [, inBraces = ''] = key === 'sync' ? (/^\s*\{(?:.*,)?\s*["']?branch["']?\s*:([^,}]*)/i.exec(value) ?? []) : []
    const names =
      indent === '' ? key === 'sync-branch' || key === 'sync.branch' : section === 'sync' && key === 'branch'
    const said = configValue(names ? value : inBraces)
    if (said !== '') return said
  }
  return null
}

/** The branch that has a working tree's beads, unless it is checked out there. `beads`: its `.beads`. */
export async function otherBranchOf(folder: string, beads: string): Promise<string | null> {
  const config = readPlainFile(join(beads, basename(BD_CONFIG)), MOST_BD_CONFIG, 'no links')
  const branch = syncBranchIn(await config.catch(() => ''))
  if (branch === null) return null
  // In a linked working tree `.git` is a file that names the folder.
  const [, gitDir = '.git'] =
    /^gitdir: (.+?)\s*$/.exec(await readPlainFile(join(folder, '.git'), 4000).catch(() => '')) ?? []
  const head = await readPlainFile(join(resolve(folder, gitDir), 'HEAD'), 1000).catch(() => '')
  return head.trim() === `ref: refs/heads/${branch}` ? null : branch
}
