import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentsAsked, beads, filesFor, foundIn, probe, SCENARIO, scenarioText } from '../support/agent-beads.ts'
import { git } from '../support/repository.ts'
import { textsOf, workOf } from '../support/session-events.ts'
import { World } from '../support/world.ts'
import { missingCluster, withoutNetwork } from './cluster.ts'
import { stopWorld } from './cluster-stage.ts'

/*
 * The well-known agents, unchanged, in pods, with the scripted model: one bead is done, and one ends in a question
 * after a look around. `test/flow/agents.test.ts` has the rest. Both nodes pull each image once, some 700 MB each;
 * `AGENTS=pi,codex` chooses.
 */

const canaries = {
  OPENAI_API_KEY: 'canary-key-openai-0123456789',
  ANTHROPIC_API_KEY: 'canary-key-anthropic-0123456789',
}
/** Both addresses of the API server, both kubelets, and addresses of clouds and the internet. */
const places = [
  '10.250.0.1:6443',
  '10.252.0.1:443',
  '10.250.0.11:10250',
  '10.250.0.12:10250',
  '169.254.169.254:80',
  'registry.npmjs.org:80',
]
const LONG_MS = 1_800_000

describe.skipIf(missingCluster !== null)('agents in pods', { timeout: LONG_MS }, () => {
  let world: World
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bl-agents-'))
    const scenarios = join(folder, 'scenarios')
    mkdirSync(scenarios)
    writeFileSync(join(scenarios, `${SCENARIO}.json`), scenarioText(probe(places)))
    const config = { engines: { cluster: { kubernetes: withoutNetwork } }, engine: 'cluster' }
    world = await World.start({ scenarios, env: { ...canaries, BEADLOOM_WARM: '0' }, config })
  })
  afterAll(async () => {
    if (world !== undefined) await stopWorld(world)
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(agentsAsked('all'))('%s completes a bead, and ends another one with its question', async (agent) => {
    const { remote } = await world.addProject(agent, filesFor(agent), beads)
    const done = await world.run(agent, 'a-1')
    const log = await world.log(workOf(done))
    expect(done, `${done.detail}\n${log}`).toMatchObject({
      state: 'COMPLETED',
      attempt: 1,
      place: { engine: 'cluster' },
    })
    expect(git(remote, 'show', 'beadloom/work:greet.sh')).toContain('echo hello, world')

    const asks = await world.run(agent, 'a-2')
    expect(asks, asks.detail).toMatchObject({ state: 'BLOCKED' })
    expect(asks.blockedReason).toContain('which language should the greeting be in?')
    const own = (await world.events(asks.id)).filter(({ session }) => session === workOf(asks))
    const found = foundIn(textsOf(own, 'tool_result').join('\n'))
    expect(found).toMatchObject({ environment: '0', gateway: '1 0', names: '0', socket: '0' })
    for (const place of places) expect(found[`reached ${place}`]).toBe('000')
  })
})
