import { expect, test } from 'vitest'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import type { DiffFile } from '../../ports/hub/diffs.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'
import { diffQueries } from './diff-queries.ts'

const id = parseExecutionId('ex-aaaaaaaaaa')
const execution = { id, project: 'demo', baseCommit: 'a'.repeat(40), commit: 'b'.repeat(40) } as unknown as Execution
const file = (at: number): DiffFile => ({
  path: `src/${at}.ts`,
  oldPath: null,
  status: 'A',
  added: 1,
  removed: 0,
  blob: 'c'.repeat(40),
})

/** The queries of a server whose only execution changed so many files. */
function changed(files: number) {
  const all = Array.from({ length: files }, (_, at) => file(at))
  const hub = {
    diff: () => Promise.resolve(all),
    patch: (_project: string, _from: string, _to: string, path: string) => Promise.resolve({ text: path, cut: false }),
  }
  return diffQueries({ store: { execution: () => execution } as unknown as Store, hub: hub as unknown as Hub })
}

test('a change of very many files lists the first, with how many more there are', async () => {
  expect(await changed(5000).diff(id, {})).not.toHaveProperty('more')
  const long = await changed(5003).diff(id, {})
  expect(long).toMatchObject({ more: 3 })
  expect('files' in long && long.files).toHaveLength(5000)
})

test('the patch of an unlisted file can be requested', async () => {
  expect(await changed(5003).patch(id, 'src/5002.ts', {})).toMatchObject({ path: 'src/5002.ts', patch: 'src/5002.ts' })
  expect(await changed(5003).patch(id, 'src/5003.ts', {})).toMatchObject({ code: 'not_changed' })
})
