// @suite flow-long
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import { agentsAsked, beads, filesFor, SCENARIO, scenarioText, turns } from '../support/agent-beads.ts'
import { textsOf, workOf } from '../support/session-events.ts'
import { World } from '../support/world.ts'

/* Known agents wait at a token limit as for a slow model, and continue when the limit is raised. */
const LONG_MS = 600_000
/** One or two calls of any known agent. */
const FEW_TOKENS = 2000

let world: World
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bl-agents-ask-'))
  const scenarios = join(folder, 'scenarios')
  mkdirSync(scenarios)
  writeFileSync(join(scenarios, `${SCENARIO}.json`), scenarioText('true'))
  world = await World.start({ scenarios })
})
afterAll(async () => {
  await world?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(agentsAsked('pi'))('%s', (agent) => {
  test(
    'waits at a limit of tokens, is granted more, and finishes in the same session',
    async () => {
      await world.addProject(agent, filesFor(agent, { onLimit: 'ask', limits: { maxTokens: FEW_TOKENS } }), beads)
      const { id } = await world.queue(agent, 'a-1')
      const { store } = world.server
      await world.until(() => store.execution(parseExecutionId(id))?.waits?.kind === 'budget')
      const grant = await world.api('POST', `/api/executions/${id}/grants`, { tokens: 10_000_000 })
      expect(grant.status).toBe(202)
      const ended = await world.ended(id)
      const log = await world.log(workOf(ended))
      expect(ended, `${ended.detail}\n${log}`).toMatchObject({ state: 'COMPLETED', attempt: 1 })
      expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
      const own = (await world.events(id)).filter(({ session }) => session === workOf(ended))
      const said = textsOf(own, 'message').map((text) => text.trim())
      expect(said).toEqual(turns.done.map(({ say }) => say))
    },
    LONG_MS,
  )
})
