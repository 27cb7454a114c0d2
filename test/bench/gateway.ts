import { mkdtempSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shellProject } from '../support/shell-project.ts'
import { BareDocker } from './support/bare-container.ts'
import { figure, type Report, type Row, type Unit } from './support/figure.ts'
import { apis, ask, PacedModel, type Answered, type Api, type Pace, type Where } from './support/paced-model.ts'
import { ServerProcess } from './support/server-process.ts'

const ROUNDS = 5
/** Calls of each kind in a round; the round's value is their median. */
const CALLS = 60
const PROJECT = 'gateway'
const paths: Record<Api, string> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
}

/** Resolves when the agent's own command line runs. */
async function agentStarted(server: ServerProcess, execution: string): Promise<void> {
  for (let after = 0; ;) {
    const { items, ended } = await server.events(execution, after)
    after = items.at(-1)?.seq ?? after
    if (items.some(({ type, data }) => type === 'section' && (data as { title: string }).title === 'agent')) return
    if (ended) throw new Error('the agent ended before it began')
  }
}

/** What the server's gateway adds to a model's endpoint: by the socket that a container has, against the endpoint itself. */
export async function gateway(asked: number | null): Promise<Report> {
  const model = await PacedModel.start()
  const key = 'the-benchmark-has-no-key'
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')), {
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${model.url}/v1`,
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: model.url,
  })
  const docker = new BareDocker()
  const agent = new Agent({ keepAlive: true })
  const rounds = asked ?? ROUNDS
  try {
    const files = shellProject({ agent: 'sleep 3600\n', config: { autopilot: false, model: 'a-model' } })
    await server.addProject(PROJECT, files, [{ id: 'be-1', title: 'Hold the link open' }])
    const { id } = await server.queue(PROJECT, 'be-1')
    await agentStarted(server, id)
    const socketPath = join(await docker.linkFolder(id), 'link.sock')
    const rows: Report['rows'] = []
    for (const api of apis) {
      const bare = { url: new URL(paths[api], model.url), agent }
      const ours = { url: new URL(paths[api], 'http://link'), agent, socketPath }
      const samples: Sample[] = []
      for (let round = 0; round < rounds; round++) samples.push(await oneRound(model, api, ours, bare))
      rows.push(...rowsOf(api, samples))
    }
    await server.api('POST', `/api/executions/${id}/cancel`)
    await server.ended(id)
    return { rows, parts: [] }
  } finally {
    agent.destroy()
    await server.stop()
    model.stop()
    await docker.removeImages(PROJECT)
  }
}

type Pair = { ours: number; bare: number }
type Sample = { first: Pair; quickest: Pair; paced: Pair; flat: Pair }

/** Ours and the endpoint in turn, so that a machine that becomes slower in between slows both. */
async function oneRound(model: PacedModel, api: Api, ours: Where, bare: Where): Promise<Sample> {
  const both = async (pace: Pace, of: (answered: Answered) => number): Promise<Pair> => {
    const body = model.say(api, pace)
    return { ours: of(await ask(ours, body)), bare: of(await ask(bare, body)) }
  }
  const calls: Pair[] = []
  for (let call = 0; call < CALLS; call++) calls.push(await both('quick', ({ firstByteMs }) => firstByteMs))
  const at = (share: number): Pair => ({
    ours: quantile(
      share,
      calls.map(({ ours: one }) => one),
    ),
    bare: quantile(
      share,
      calls.map(({ bare: one }) => one),
    ),
  })
  return {
    first: at(0.5),
    quickest: at(0.1),
    paced: await both('paced', ({ eventsPerSecond }) => eventsPerSecond),
    flat: await both('flat', ({ mbPerSecond }) => mbPerSecond),
  }
}

const quantile = (share: number, values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN

function rowsOf(api: Api, samples: Sample[]): Row[] {
  const row = (what: string) => ({ bench: 'gateway', what: `gateway, ${api}: ${what}`, baseline: null, aim: null })
  const added = (of: 'first' | 'quickest') =>
    figure(
      'ms',
      samples.map((one) => one[of].ours - one[of].bare),
    )
  const beside = (unit: Unit, of: keyof Sample) => ({
    ours: figure(
      unit,
      samples.map((one) => one[of].ours),
    ),
    baseline: {
      what: 'the endpoint itself',
      figure: figure(
        unit,
        samples.map((one) => one[of].bare),
      ),
    },
  })
  return [
    { ...row('added until the first byte'), ours: added('first'), aim: { of: 'ours', at: 'most', value: 2 } },
    { ...row('the same, the quickest tenth of the calls'), ours: added('quickest') },
    { ...row('until the first byte'), ...beside('ms', 'first') },
    {
      ...row('a model of 500 pieces a second'),
      ...beside('events/s', 'paced'),
      aim: { of: 'ratio', at: 'least', value: 0.95 },
    },
    { ...row('a model without a pause'), ...beside('MB/s', 'flat') },
  ]
}
