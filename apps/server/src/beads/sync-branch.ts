import { join } from 'node:path'
import { BD_CONFIG, MOST_BD_CONFIG } from '../ports/tracker.ts'
import { readPlainFile } from '../process/plain-file.ts'

/*
 * Before 1.0, `bd` could keep its beads on a branch of their own, which `.beads/config.yaml` names. The file on every
 * other branch is then a copy that nobody keeps up to date.
 */

/** `sync-branch: NAME`, `sync.branch: NAME`, or `branch: NAME` below `sync:`; null: there is none. */
export function syncBranchIn(config: string): string | null {
  let section = ''
  for (const line of config.split('\n')) {
    const [, indent = '', key = '', value = ''] =
      /^([ \t]{0,40})["']?([\w.-]{1,40})["']?[ \t]{0,40}:(.*)$/.exec(line) ?? []
    if (key === '') continue
    if (indent === '') section = key
    const said = value
      .replace(/\s#[^]*$/, '')
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
    const names =
      indent === '' ? key === 'sync-branch' || key === 'sync.branch' : section === 'sync' && key === 'branch'
    if (names && said !== '') return said
  }
  return null
}

/** The branch that a working tree's beads are on, unless that is checked out there. */
export async function otherBranchOf(folder: string): Promise<string | null> {
  const read = (path: string, most: number) => readPlainFile(join(folder, path), most).catch(() => '')
  const branch = syncBranchIn(await read(BD_CONFIG, MOST_BD_CONFIG))
  if (branch === null) return null
  return (await read('.git/HEAD', 1000)).trim() === `ref: refs/heads/${branch}` ? null : branch
}
