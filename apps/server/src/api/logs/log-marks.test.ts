import { LogMarks } from '@beadloom/core/log/log-marks.ts'
import { parseSessionId } from '@beadloom/core/records/ids.ts'
import { describe, expect, test } from 'vitest'
import { startHttp } from '../../compose/testing/start-http.ts'

/* Facts about a log's lines besides their text, and the form of the answers. */

const SESSION = parseSessionId('ex-0000000001.1')
const LOG = `/api/sessions/${SESSION}/log`
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index} ü\n`).join('')

async function startWithLog(text: string) {
  const world = await startHttp()
  world.logs.append(SESSION, text)
  return world
}

test('a block names the style that it begins with', async () => {
  const { ask, logs } = await startWithLog(`\x1b[1;31m${numbered(0, 1024)}\x1b[0m${numbered(0, 512)}`)
  const styles = await Promise.all([0, 1, 2, 3].map(async (n) => (await ask(`${LOG}/blocks/${n}`)).headers))
  expect(styles.map((headers) => headers['beadloom-log-style'])).toEqual(['', '1;31', '1;31', ''])
  logs.styleAt = async () => null
  expect((await ask(`${LOG}/blocks/1`)).headers).not.toHaveProperty('beadloom-log-style')
})

const noon = Date.UTC(2026, 9, 25, 0, 59, 59, 250)
async function startWithTimes() {
  const world = await startWithLog('old\na\n\x1b[31mb\x1b[0m\nc\nd\n')
  world.logs.marked.set(SESSION, {
    times: [
      [1, noon],
      [3, noon + 60_000],
    ],
    stderr: [[2, 3]],
  })
  return world
}

describe('marks', () => {
  test('give times and standard error of the requested lines', async () => {
    const { ask } = await startWithTimes()
    const marks = async (query = '') => LogMarks.parse((await ask(`${LOG}/marks${query}`)).json())
    expect(await marks()).toEqual({
      from: 0,
      to: 5,
      times: [
        [1, noon],
        [3, noon + 60_000],
      ],
      stderr: [[2, 3]],
    })
    expect(await marks('?from=2&to=3')).toEqual({ from: 2, to: 3, times: [[2, noon]], stderr: [[2, 2]] })
    expect(await marks('?from=3&to=8000')).toEqual({ from: 3, to: 5, times: [[3, noon + 60_000]], stderr: [[3, 3]] })
    expect(await marks('?from=9')).toEqual({ from: 9, to: 9, times: [], stderr: [] })
    expect(await marks('?from=4&to=2')).toEqual({ from: 4, to: 4, times: [], stderr: [] })
  })

  test('are missing for a log that was recorded without them', async () => {
    const { ask } = await startWithLog('one\n')
    expect((await ask(`${LOG}/marks`)).json()).toEqual({ from: 0, to: 1, times: [], stderr: [] })
  })

  test('are refused for too many lines, and for a missing log', async () => {
    const { ask } = await startWithTimes()
    expect(await ask(`${LOG}/marks?from=1&to=8193`)).toMatchObject({ status: 200 })
    const got = await ask(`${LOG}/marks?from=1&to=8194`)
    expect(got.status).toBe(400)
    expect(got.json()).toMatchObject({ error: { code: 'too_many_lines', message: expect.stringMatching(/to=8193/) } })
    expect(await ask(`${LOG}/marks?from=-1`)).toMatchObject({ status: 400 })
    expect(await ask('/api/sessions/ex-0000000009.1/log/marks')).toMatchObject({ status: 404 })
  })
})

describe('the raw log with times', () => {
  test("has each line after its time, in UTC or the reader's zone, or after a placeholder", async () => {
    const { ask } = await startWithTimes()
    const raw = async (query: string) => (await ask(`${LOG}/raw?${query}`)).text
    const none = '-                        '
    expect(await raw('ts=utc')).toBe(
      `${none}old\n2026-10-25T00:59:59.250Z a\n2026-10-25T00:59:59.250Z \x1b[31mb\x1b[0m\n` +
        '2026-10-25T01:00:59.250Z c\n2026-10-25T01:00:59.250Z d\n',
    )
    // The hour that occurs twice in Berlin.
    expect(await raw('ts=local&tz=Europe/Berlin&ansi=0&from=2&to=4')).toBe(
      '2026-10-25T02:59:59.250+02:00 b\n2026-10-25T02:00:59.250+01:00 c\n',
    )
    expect(await raw('ts=local&tz=Asia/Kolkata&from=4')).toBe('2026-10-25T06:30:59.250+05:30 d\n')
    expect(await raw('ts=local&tz=America/St_Johns&from=4')).toBe('2026-10-24T22:30:59.250-02:30 d\n')
    expect(await raw('ts=local&from=4')).toMatch(/^2026-10-2\dT[\d:]{8}\.250[+-]\d\d:\d\d d\n$/)
    expect(await raw('ts=none&from=4')).toBe('d\n')
  })

  test('knows no byte positions, and no invalid zone', async () => {
    const { ask } = await startWithTimes()
    const ranged = await ask(`${LOG}/raw?ts=utc`, { headers: { Range: 'bytes=0-1' } })
    expect(ranged.status).toBe(416)
    expect(ranged.json()).toMatchObject({ error: { message: expect.stringMatching(/Leave Range out.*ts=none/) } })
    expect(await ask(`${LOG}/raw?ts=none`, { headers: { Range: 'bytes=0-1' } })).toMatchObject({ status: 206 })
    expect((await ask(`${LOG}/raw?ts=utc`)).headers['accept-ranges']).toBe('none')
    const nowhere = await ask(`${LOG}/raw?ts=local&tz=Europe/Nowhere`)
    expect(nowhere.status).toBe(400)
    expect(nowhere.json()).toMatchObject({ error: { code: 'no_such_time_zone' } })
    expect(await ask(`${LOG}/raw?ts=mars`)).toMatchObject({ status: 400 })
  })

  test('is whole, however long it is', async () => {
    const text = numbered(0, 40_000)
    const { ask, logs } = await startWithLog(text)
    logs.marked.set(SESSION, { times: Array.from({ length: 400 }, (_, n) => [n * 100, noon + n * 1000]), stderr: [] })
    const lines = (await ask(`${LOG}/raw?ts=utc`)).text.split('\n').slice(0, -1)
    expect(`${lines.map((line) => line.slice(25)).join('\n')}\n`).toBe(text)
    const at = (n: number) => new Date(noon + Math.floor(n / 100) * 1000).toISOString()
    expect(lines.every((line, n) => line.startsWith(`${at(n)} `))).toBe(true)
  })
})
