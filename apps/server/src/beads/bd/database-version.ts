import { join } from 'node:path'
import { readPlainFile } from '../../process/plain-file.ts'

/*
 * A database of `bd` has a schema. A newer `bd` changes an older one with its first command, whichever that is, and
 * then no older `bd` can open it. A separate file names the `bd` that ran last, and can be read without it.
 */

/** The `bd` that used the database last; null if unknown. */
export async function lastBdIn(beads: string): Promise<string | null> {
  const text = await readPlainFile(join(beads, '.local_version'), 200, 'no links').catch(() => '')
  return /^v?(\d+\.\d+\.\d+[\w.+-]{0,40})\s*$/.exec(text)?.[1] ?? null
}

/**
 * The schema of a release, if known. 1.2.0 and 1.2.1 were published by accident, and replaced by 1.2.2, which is 1.1.
 */
export function schemaOf(release: string): number | null {
  const [version = ''] = release.split(/[-+]/)
  if (version === '1.2.0' || version === '1.2.1') return 65
  if (/^1\.[12]\./.test(version)) return 53
  return { '1.0.5': 49, '1.3.0': 66 }[version] ?? null
}

/** `same`: nothing changes. `older`, `newer`: how the program compares, by release if the schemas are unknown. */
export function compareBd(program: string, last: string): 'same' | 'older' | 'newer' {
  if (program === last) return 'same'
  const [ours, theirs] = [schemaOf(program), schemaOf(last)]
  if (ours !== null && theirs !== null) return ours === theirs ? 'same' : ours < theirs ? 'older' : 'newer'
  return program.localeCompare(last, 'en', { numeric: true }) < 0 ? 'older' : 'newer'
}

/** Why the program is not run on the database, and the remedy for a person; null if it changes nothing. */
export function whyNotRun(program: string, last: string | null, folder: string): { text: string; fix: string } | null {
  const its = named(program)
  const there = JSON.stringify(folder)
  if (last === null)
    return {
      text: `which bd has last used this database is not known (.beads/.local_version), and bd ${its} might change it for good`,
      fix: `Run "bd list" in ${there} with the bd that you use: Beadloom goes on by itself.`,
    }
  switch (compareBd(program, last)) {
    case 'same':
      return null
    case 'newer':
      return {
        text: `bd ${its} ${schemaOf(program) === null || schemaOf(last) === null ? 'may' : 'would'} change this database, which bd ${named(last)} has last used, with its first command, and no older bd could open it then`,
        fix: `Keep a copy first (with bd ${last}: bd export --all -o beads-backup.jsonl), update bd everywhere where this database is used, then run "bd list" in ${there}: Beadloom goes on by itself. Or give the server bd ${last}.`,
      }
    case 'older':
      return {
        text: `bd ${its} cannot open this database, which bd ${named(last)} has last used`,
        fix: `Install bd ${last} or later on the server's PATH.`,
      }
  }
}

function named(release: string): string {
  const schema = schemaOf(release)
  return schema === null ? release : `${release} (schema ${schema})`
}
