import { weakScript } from './commands.ts'
import { patchLines, type ChangedFile } from '../patch.ts'
import { hasEndIn } from '../../files/path-ends.ts'

/*
 * Files that the checks' own commands start, whatever their names: `./run-all`, `python tools/tests.py`. They decide
 * what the check does with the tests.
 */

/** `./run-all`, `tools/all.sh`, and any word after a program that runs files. */
const NAMED = /(?:^|[\s;&|("'])((?:\.{1,2}\/)*[\w@-][\w@.-]*(?:\/[\w@.-]+)*)(?=$|[\s;&|)"'])/g
const AFTER = /(?:^|[\s;&|(/])(?:sh|bash|python[\d.]*|node|ruby|perl|php|exec|source)\s+(?:-\w+\s+)*$/

/** Whether these commands name a path. */
export function startedBy(commands: readonly string[]): (path: string) => boolean {
  const ends = new Set<string>()
  for (const command of commands)
    for (const found of command.slice(0, 5000).matchAll(NAMED)) {
      const [, name = ''] = found
      const before = command.slice(0, found.index + found[0].length - name.length)
      if (/^\.{1,2}\/|\.(?:[cm]?[jt]s|py|rb|pl|php|sh|bash)$/.test(name) || /\/[^.]+$/.test(name) || AFTER.test(before))
        ends.add(name.replace(/^(?:\.{1,2}\/)+/, ''))
    }
  return hasEndIn(ends)
}

/** A sentence for a file that no longer does what a command starts it for, if so. */
export function weakenedStart({ path, status, patch }: ChangedFile, name: string): string[] {
  if (status === 'D') return []
  const lines = patchLines(patch)
  const of = (sign: string) => lines.filter((line) => line.sign === sign).map(({ plain }) => plain)
  const weak = weakScript(path, of('-'), of('+'))
  return weak === null ? [] : [`${name}, which a check starts: ${weak}`]
}
