// @suite policy-long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oddBeads, oddProject, PRINTED_LINE, PRINTED_LINES } from '../support/odd-agents.ts'
import { textsOf, workOf } from '../support/session-events.ts'
import { World } from '../support/world.ts'

/* Command lines that speak like known agents, and do what no agent should. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

describe('an agent in its own words', () => {
  beforeAll(() => world.addProject('odd', oddProject(), oddBeads))

  test.concurrent('cannot forge the end of its session, nor be blocked by text that it reads', async () => {
    const ended = await world.run('odd', 'o-1')
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
    const own = (await world.events(ended.id)).filter(({ session }) => session === workOf(ended))
    expect(own.filter(({ type }) => type === 'result')).toMatchObject([{ data: { outcome: 'success' } }])
    expect(textsOf(own, 'message')).toEqual([expect.stringContaining('Fine.')])
  })

  test.concurrent('may print 100 MB in results: the log has all of it, the rows of the database only the beginnings of its pieces', async () => {
    const ended = await world.run('odd', 'o-2')
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
    const log = await world.log(workOf(ended))
    let lines = 0
    for (let at = log.indexOf(PRINTED_LINE); at >= 0; at = log.indexOf(PRINTED_LINE, at + 1)) lines += 1
    expect(lines).toBe(PRINTED_LINES)
    expect(log).toContain('› That was much.')
    const results = textsOf(await world.events(ended.id), 'tool_result')
    expect(Math.max(...results.map((text) => text.length))).toBeLessThan(4096)
  })

  test.concurrent('is stopped when it continues after its last word, which counts', async () => {
    const ended = await world.run('odd', 'o-3')
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
    expect(await world.log(workOf(ended))).toContain('the agent said it was done but did not exit, so it was stopped')
  })

  test.concurrent('that dies without a word has failed', async () => {
    const ended = await world.run('odd', 'o-4')
    expect(ended).toMatchObject({ state: 'FAILED' })
    expect(ended.detail).toMatch(/137|SIGKILL|killed/)
  })
})
