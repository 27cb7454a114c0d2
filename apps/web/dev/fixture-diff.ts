import type {
  BranchView,
  CommitView,
  DiffFileView,
  DiffView,
  PatchView,
  WhyView,
} from '@beadloom/core/api/executions/diff-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'

const from = '3f2a9c1'.padEnd(40, '0')
const startedAt = Date.now()
/** The branch moves once, so that the news of it can be looked at. */
const moved = (): boolean => Date.now() - startedAt > 60_000

const file = (path: string, added: number | null, removed: number | null, over: Partial<DiffFileView> = {}) => ({
  path,
  oldPath: null,
  status: 'M',
  added,
  removed,
  blob: `${path} 1`,
  ...over,
})

function files(bead: string, newer: boolean): DiffFileView[] {
  if (bead === 'eg-same') return []
  if (bead === 'eg-big') return Array.from({ length: 2500 }, (_, n) => file(`src/parsers/parser-${n}.ts`, 20, 10))
  return [
    file('docs/logo.png', null, null, { status: 'A' }),
    file('package-lock.json', 2210, 1804),
    file('src/date.test.ts', 24, 0, { status: 'A' }),
    file('src/date.ts', newer ? 4 : 3, 1, { blob: `date ${newer}` }),
    file('src/formats/iso-8601.ts', 0, 0, { status: 'R', oldPath: 'src/iso.ts' }),
    file('src/legacy/Ω\u202egnp.ts', 0, 40, { status: 'D', blob: null }),
    ...Array.from({ length: 40 }, (_, n) => file(`src/parsers/parser-${n}.ts`, 20, 10)),
  ]
}

const dateHunk = (newer: boolean) => `@@ -10,7 +10,${newer ? 10 : 9} @@ export function parse(text: string): Date {
   const match = PATTERN.exec(text)
   if (!match) throw new InvalidDate(text)
-  return new Date(text)
+  const [, date, offset = 'Z'] = match
+  // An offset without a colon is valid ISO 8601, but not for Date.
+  return new Date(date + offset.replace(/^([+-]\\d\\d)(\\d\\d)$/, '$1:$2'))
${newer ? '+  // So says the test.\n' : ''} }
 // <img src=x onerror=alert(1)> \u202e reversed, and a bell: \u0007
`

function hunks(path: string, newer: boolean): string {
  if (path === 'src/date.ts') return dateHunk(newer)
  if (path.includes('legacy')) return `@@ -1,40 +0,0 @@\n${numbered(40, (n) => `-const old${n} = ${n}`)}`
  if (path.includes('parser-'))
    return [1, 60]
      .map(
        (at) =>
          `@@ -${at},11 +${at},16 @@ export class Parser {\n   read(): void {\n${numbered(5, (n) => `-    this.take(${n}, 'left')`)}${numbered(5, (n) => `+    this.take(${n}, 'right', { strict: true })`)}${numbered(5, (n) => `+    this.check(${n}) // ${'a long line that goes on '.repeat(n % 3)}`)}   }\n${numbered(4, (n) => ` // ${n}`)}`,
      )
      .join('')
  return `@@ -0,0 +1,24 @@\n${numbered(24, (n) => `+test('parses ${n}', () => expect(parse('${n}')).toBe(${n}))`)}`
}

const numbered = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('')

/** As git words it, over more than one line. */
export const gitRefusal = `git diff-tree failed (exit 128): error: object file objects/3f/2a9c1 is empty
fatal: loose object 3f2a9c1000000000000000000000000000000000 (stored in objects/3f/2a9c1) is corrupt`

const tipOf = (seed: string): string =>
  `${moved() ? 'b' : 'a'}${seed.replaceAll(/\W/g, '')}`.padEnd(40, '1').slice(0, 40)

export function branchOf(bead: string, seed: string): BranchView {
  const to = tipOf(seed)
  const subjects = [
    'Parse offsets without a colon',
    'Try another expression, and put the old one back afterwards because two tests of the suite need it as it was',
    'A test that shows it: \u202e<img src=x onerror=alert(1)>',
  ]
  const commits = subjects.map((subject, at): CommitView => {
    const commit = at === 0 ? to : `${at}e0f3`.padEnd(40, '0')
    const parent = at === subjects.length - 1 ? from : `${at + 1}e0f3`.padEnd(40, '0')
    return { commit, parent, subject, author: 'beadloom', at: startedAt - at * 60_000 }
  })
  const files = ['src/date.ts', 'src/date.test.ts', 'src/formats.ts']
  return { from, to, commits, more: false, conflict: bead === 'eg-clash' ? { with: 'beadloom/work', files } : null }
}

export function diffOf(bead: string, query: URLSearchParams, seed: string): DiffView | PatchView {
  const to = query.get('to') ?? tipOf(seed)
  const newer = to.startsWith('b')
  const path = query.get('path')
  if (path === null)
    return {
      from,
      to,
      files: query.get('to')?.startsWith('1e0f3') ? files(bead, newer).slice(2, 4) : files(bead, newer),
    }
  return {
    path,
    patch: `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunks(path, newer)}`,
    truncated: path === 'package-lock.json',
  }
}

/** A line of `parses` was written by the agent of its last attempt; of the others the log has too little, or nothing. */
export function whyOf(run: ExecutionView, text: string): WhyView {
  const steps = run.sessions
    .filter(({ kind }) => kind === 'work')
    .map(({ id, attempt }) => ({ execution: run.id, session: id, attempt, line: 12 }))
  if (text.includes('parses')) return { by: steps.at(-1) ?? null, sure: true, perhaps: [] }
  return { by: null, sure: false, perhaps: text.includes('offset') ? steps.toReversed() : [] }
}
