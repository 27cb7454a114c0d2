import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import { expect, test } from 'vitest'
import type { ApiClient } from '../api-client.ts'
import { TimedLines } from './timed-lines.ts'
import { NoServer } from '../../health/server-file.ts'

const noon = Date.UTC(2026, 5, 1, 12)

async function gather(lines: TimedLines): Promise<string> {
  let all = ''
  for await (const text of lines.given()) all += text
  return all
}

function asked(answer: (from: number, to: number) => LogMarks['times']): [Pick<ApiClient, 'get'>, string[]] {
  const paths: string[] = []
  const get = async <T>(path: string): Promise<T> => {
    paths.push(path)
    const [from, to] = [...path.matchAll(/=(\d+)/g)].map(([, number]) => Number(number)) as [number, number]
    return { from, to, times: answer(from, to), stderr: [] } as T
  }
  return [{ get }, paths]
}

test('followed lines come after their times, whenever these were asked for', async () => {
  const [api, paths] = asked((from) => [[from, noon + from * 1000]])
  const lines = new TimedLines(api, 'ex-0000000001.1', 'Asia/Kolkata')
  lines.take('zero\none\n', 0)
  lines.take('two\n', 2)
  expect(await gather(lines)).toBe(
    '2026-06-01T17:30:00.000+05:30 zero\n2026-06-01T17:30:00.000+05:30 one\n2026-06-01T17:30:02.000+05:30 two\n',
  )
  expect(await gather(lines)).toBe('')
  expect(paths.map((path) => path.split('marks')[1])).toEqual(['?from=0&to=2', '?from=2&to=3'])
})

test('more lines than one request may have are fetched in parts', async () => {
  const [api, paths] = asked((from) => [[from, noon + from]])
  const lines = new TimedLines(api, 'ex-0000000001.1', 'UTC')
  lines.take('x\n'.repeat(10_000), 5)
  const got = (await gather(lines)).trimEnd().split('\n')
  expect(got).toHaveLength(10_000)
  expect([got[0], got[8191], got[8192]]).toEqual([
    '2026-06-01T12:00:00.005+00:00 x',
    '2026-06-01T12:00:00.005+00:00 x',
    '2026-06-01T12:00:08.197+00:00 x',
  ])
  expect(paths).toHaveLength(2)
})

test('a server that goes away in between costs times but no line', async () => {
  const get = () => Promise.reject(new NoServer('gone'))
  const lines = new TimedLines({ get }, 'ex-0000000001.1', 'UTC')
  lines.take('one\ntwo\n', 0)
  expect(await gather(lines)).toBe(`${'-'.padEnd(29)} one\n${'-'.padEnd(29)} two\n`)
})
