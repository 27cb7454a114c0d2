import { expect, test } from 'vitest'
import { parseBeadId, parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { verdictReadings, type VerdictReadings } from '@beadloom/core/verdict/verdict-readings.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { DiffFile } from '../ports/hub/diffs.ts'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { tamperCheck } from './tamper-check.ts'
import { testDiff } from './work-diff.ts'

/** A change of so many files, each with this patch. `read`: the files whose patches were asked for. */
function change(count: number, nameOf: (at: number) => string, patch = '@@ -1 +1 @@\n-a\n+b\n') {
  const read: string[] = []
  const flags: string[] = []
  const files = Array.from({ length: count }, (_, at): DiffFile => ({
    path: nameOf(at),
    oldPath: null,
    status: 'M',
    added: 1,
    removed: 1,
    blob: null,
  }))
  const live = {
    id: parseExecutionId('ex-aaaaaaaaaa'),
    project: { id: parseProjectId('demo') },
    bead: { id: parseBeadId('a-1'), title: 'Tidy', description: '', dependencies: [] },
    settings: { verify: [{ command: './run-all' }] },
    deps: {
      clock: new HandClock(),
      hub: {
        diff: async (_: unknown, __: string, ___: string, how?: object) => (how === undefined ? files : []),
        patch: async (...[, , , path]: [unknown, string, string, string]) => {
          read.push(path)
          return { text: patch, cut: false }
        },
      },
      aside: {
        verdict: async (reading: keyof VerdictReadings, ...given: unknown[]) =>
          (verdictReadings[reading] as (...all: unknown[]) => unknown)(...given),
      },
      store: {
        testsAllowed: () => [],
        verifications: () => [],
        flagExecution: async (_: unknown, { text }: { text: string }) => void flags.push(text),
      },
    },
  } as unknown as LiveExecution
  return { live, read, flags }
}

const long = 'x'.repeat(1024 ** 2)

test('the files of a change of tests are read, and those that its settings or the checks name', async () => {
  const names = ['src/a.ts', 'a.test.ts', 'vitest.config.ts', 'tools/own.ts', 'run-all', 'src/lib.rs']
  const patch = '@@ -1 +1 @@\n-a\n+  setupFiles: ["./tools/own.ts"],\n'
  const { live, read } = change(names.length, (at) => names[at]!, patch)
  const diff = await testDiff(live, 'from', 'to')
  expect(read).toEqual(['a.test.ts', 'vitest.config.ts', 'src/lib.rs', 'tools/own.ts', 'run-all'])
  expect(diff).toMatchObject({ more: false, files: read.map((path) => ({ path })) })
})

test.each([
  ['more than 20,000 files', 20_001, (at: number) => `${at}.test.ts`],
  ['files whose names are longer than 4 MiB', 1_100, (at: number) => `${'ab/'.repeat(1_300)}${at}.test.ts`],
])('a change of %s is refused as more than could be checked, and no patch is read', async (_, count, nameOf) => {
  const { live, read, flags } = change(count, nameOf)
  const row = { attempt: 1, purpose: 'attempt', run: 1, commit: 'to', step: 1, session: 's', type: 'lint' }
  const refused = await tamperCheck(live, { base: 'from', before: [] }, [row as unknown as Verification])
  expect(refused).toMatchObject({ passed: false, findings: ['more files changed than could be checked'] })
  expect(flags).toEqual(['attempt 1: more files changed than could be checked'])
  expect(read).toEqual([])
})

test('patches are read up to 16 MiB together, and the rest counts as unread', async () => {
  const { live, read } = change(400, (at) => `${at}.test.ts`, long)
  const diff = await testDiff(live, 'from', 'to')
  expect(read).toHaveLength(16)
  expect(diff).toMatchObject({ more: true, files: read.map((path) => ({ path })) })
})
