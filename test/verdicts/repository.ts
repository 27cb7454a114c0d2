import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { issues, makeRemote, type BeadLine, type Files } from '../support/repository.ts'
import type { Edits, Exercise } from './exercise.ts'
import type { LanguageKit } from './sabotage.ts'
import type { Base } from './trials.ts'

/*
 * One repository holds many exercises, with a folder and a check each: a trial runs the check of the folder that it
 * changes.
 */

/** The most checks of a project. */
const MOST_CHECKS = 40
const AGENT = `sed -n 's/^WORK: //p' | base64 -d | gunzip | git apply --index --whitespace=nowarn && git commit -q -m Work && git push -q`

export type Bench = { id: string; base: Base; kit: LanguageKit; exercises: readonly Exercise[]; remote: string }

/** Splits the exercises of one language, so that no part has more checks than a project may have. */
export function shared(exercises: readonly Exercise[]): Exercise[][] {
  const parts = Math.ceil(exercises.length / MOST_CHECKS)
  const size = Math.ceil(exercises.length / Math.max(1, parts))
  return Array.from({ length: parts }, (_, at) => exercises.slice(at * size, (at + 1) * size))
}

/** The repository's files on the base branch. `beads`: beads for tries of each exercise. */
export function filesOf(exercises: readonly Exercise[], kit: LanguageKit, base: Base, beads: number): Files {
  const files: Files = {
    'README.md': 'Exercises, each in its own folder.\n',
    'beadloom.json': JSON.stringify(settings(exercises, kit, base), null, 2),
    '.beads/issues.jsonl': issues(...exercises.flatMap((one) => beadsOf(one, beads))),
    ...kit.root(exercises),
  }
  for (const exercise of exercises) {
    const solution = base === 'green' ? exercise.reference : exercise.stub
    for (const [path, text] of Object.entries({ ...exercise.files, ...kit.extra(exercise), ...solution }))
      files[`${exercise.name}/${path}`] = text
  }
  return files
}

const settings = (exercises: readonly Exercise[], kit: LanguageKit, base: Base) => ({
  agent: 'command',
  command: AGENT,
  techStack: [exercises[0]?.language ?? 'Shell'],
  toolchains: kit.toolchains,
  setup: kit.setup,
  verify: exercises.map(({ name }) => ({
    type: 'test',
    name,
    command: kit.test,
    folder: name,
    paths: [name],
    timeoutSeconds: 180,
  })),
  verification: { maxAttempts: 1, proveBase: base === 'green', redGreen: false },
  tracker: { write: false },
  limits: { executionTimeoutSeconds: 1800 },
})

const beadsOf = ({ name }: Exercise, count: number): BeadLine[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${name}-${at + 1}`,
    title: `Solve ${name}`,
    description: 'The instructions are in its folder, under .docs where there is one.',
  }))

/** A project id that is the same for the same files, so earlier preparations are found again. */
export const idFor = (name: string, files: Files): string =>
  `${name}-${createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 6)}`

export function openRemote(folder: string, files: Files): string {
  return existsSync(folder) ? folder : makeRemote(folder, files)
}

const identity = {
  GIT_AUTHOR_NAME: 'An Agent',
  GIT_AUTHOR_EMAIL: 'agent@example.org',
  GIT_COMMITTER_NAME: 'An Agent',
  GIT_COMMITTER_EMAIL: 'agent@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
}

export const gitIn = (gitDir: string, args: readonly string[], input: string | Buffer = '', index = ''): Buffer =>
  execFileSync('git', ['--git-dir', gitDir, ...args], {
    input,
    maxBuffer: 1024 ** 3,
    env: { PATH: process.env['PATH'], HOME: gitDir, ...identity, ...(index && { GIT_INDEX_FILE: index }) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })

/** A commit on top of the base branch in which an exercise has these edits. */
export function commitOf(remote: string, exercise: string, edits: Edits, index: string): string {
  const text = (args: readonly string[], input = '') => gitIn(remote, args, input, index).toString().trim()
  text(['read-tree', 'main'])
  const lines = Object.entries(edits).map(([path, edit]) => {
    const at = `${exercise}/${path}`
    if (edit === null) return `0 ${'0'.repeat(40)}\t${at}\n`
    const content = typeof edit === 'string' ? edit : edit.link
    const mode = typeof edit !== 'string' ? '120000' : edit.startsWith('#!') ? '100755' : '100644'
    return `${mode} ${text(['hash-object', '-w', '--stdin'], content)}\t${at}\n`
  })
  text(['update-index', '--index-info'], lines.join(''))
  return text(['commit-tree', text(['write-tree']), '-p', 'main', '-m', 'Work'])
}

/** The patch that an agent gets and commits as its own. */
export function patchOf(remote: string, commit: string): string {
  const patch = gitIn(remote, ['diff', '--binary', '--no-renames', 'main', commit])
  return `WORK: ${gzipSync(patch).toString('base64')}`
}
