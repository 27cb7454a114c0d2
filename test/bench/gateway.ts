import { mkdtempSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shellProject } from '../support/shell-project.ts'
import { BareDocker } from './support/bare-container.ts'
import { cpuMs } from './support/cpu-time.ts'
import { LinkRelay } from './support/link-relay.ts'
import { figure, type Figure, type Report, type Row, type Unit } from './support/figure.ts'
import { apis, ask, PacedModel, type Answered, type Api, type Pace, type Where } from './support/paced-model.ts'
import { ProxyProcess } from './support/proxy-process.ts'
import { ServerProcess } from './support/server-process.ts'

const ROUNDS = 5
/** Calls of each kind in a round; the round's value is their median. */
const CALLS = 100
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

/** A way to the endpoint; `pid`: the process in between, if there is one. */
type Way = { where: Where; pid: number | null }
const ways = ['ours', 'proxy', 'bare'] as const
type Ways = Record<(typeof ways)[number], Way>

/**
 * The time that the server's gateway adds to a model's endpoint. Calls go over the link as a container's do (and
 * through a process that leads into its network). Baselines: the endpoint itself, and a bare proxy.
 */
export async function gateway(asked: number | null): Promise<Report> {
  const model = await PacedModel.start()
  const key = 'the-benchmark-has-no-key'
  const proxy = await ProxyProcess.start(model.url)
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')), {
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${model.url}/v1`,
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: model.url,
  })
  const docker = new BareDocker()
  const agent = new Agent({ keepAlive: true })
  const rounds = asked ?? ROUNDS
  let relay: LinkRelay | null = null
  try {
    const files = shellProject({ agent: 'sleep 3600\n', config: { autopilot: false, model: 'a-model' } })
    await server.addProject(PROJECT, files, [{ id: 'be-1', title: 'Hold the link open' }])
    const { id } = await server.queue(PROJECT, 'be-1')
    await agentStarted(server, id)
    relay = await LinkRelay.start(await docker.firstProcess(id))
    const { socketPath } = relay
    const rows: Report['rows'] = []
    for (const api of apis) {
      const url = new URL(paths[api], 'http://link')
      const samples = await roundsOf(rounds, model, api, {
        ours: { where: { url, agent, socketPath }, pid: server.pid },
        proxy: { where: { url, agent, socketPath: proxy.socketPath }, pid: proxy.pid },
        bare: { where: { url: new URL(paths[api], model.url), agent }, pid: null },
      })
      rows.push(...rowsOf(api, samples))
    }
    await server.api('POST', `/api/executions/${id}/cancel`)
    await server.ended(id)
    return { rows, parts: [] }
  } finally {
    agent.destroy()
    relay?.stop()
    await server.stop()
    await proxy.stop()
    model.stop()
    await docker.removeImages(PROJECT)
  }
}

type Each = Record<keyof Ways, number>
type Sample = { first: Each; quickest: Each; cpu: Each; paced: Each; flat: Each; flatCpu: Each }

async function roundsOf(rounds: number, model: PacedModel, api: Api, each: Ways): Promise<Sample[]> {
  await oneRound(model, api, each) // a warm-up: no code is compiled before
  const samples: Sample[] = []
  for (let round = 0; round < rounds; round++) samples.push(await oneRound(model, api, each))
  return samples
}

/** Takes all ways in turn: a machine that becomes slower in between slows all of them. */
async function oneRound(model: PacedModel, api: Api, each: Ways): Promise<Sample> {
  const inTurn = async (pace: Pace, calls: number): Promise<Record<keyof Ways, Answered[]> & { cpu: Each }> => {
    const body = model.say(api, pace)
    const answers: Record<keyof Ways, Answered[]> = { ours: [], proxy: [], bare: [] }
    const before = cpuOf(each)
    for (let call = 0; call < calls; call++) for (const way of ways) answers[way].push(await ask(each[way].where, body))
    const after = cpuOf(each)
    return { ...answers, cpu: ofEach((way) => (after[way] - before[way]) / calls) }
  }
  const quick = await inTurn('quick', CALLS)
  const firstByte = (share: number): Each =>
    ofEach((way) =>
      quantile(
        share,
        quick[way].map(({ firstByteMs }) => firstByteMs),
      ),
    )
  const paced = await inTurn('paced', 1)
  const flat = await inTurn('flat', 1)
  return {
    first: firstByte(0.5),
    quickest: firstByte(0.1),
    cpu: quick.cpu,
    paced: ofEach((way) => paced[way][0]?.eventsPerSecond ?? Number.NaN),
    flat: ofEach((way) => flat[way][0]?.mbPerSecond ?? Number.NaN),
    flatCpu: flat.cpu,
  }
}

const ofEach = (of: (way: keyof Ways) => number): Each => ({ ours: of('ours'), proxy: of('proxy'), bare: of('bare') })

const cpuOf = (each: Ways): Each =>
  ofEach((way) => {
    const { pid } = each[way]
    return pid === null ? 0 : cpuMs(pid)
  })

const quantile = (share: number, values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN

function rowsOf(api: Api, samples: Sample[]): Row[] {
  const row = (what: string) => ({ bench: 'gateway', what: `gateway, ${api}: ${what}`, aim: null })
  const each = (unit: Unit, of: (sample: Sample) => number): Figure => figure(unit, samples.map(of))
  const baseProxy = 'a bare node:http proxy'
  /** The time added to the endpoint, by us and by the proxy. */
  const added = (of: 'first' | 'quickest') => ({
    ours: each('ms', (one) => one[of].ours - one[of].bare),
    baseline: { what: baseProxy, figure: each('ms', (one) => one[of].proxy - one[of].bare) },
  })
  const cpu = (of: 'cpu' | 'flatCpu') => ({
    ours: each('ms', (one) => one[of].ours),
    baseline: { what: baseProxy, figure: each('ms', (one) => one[of].proxy) },
  })
  const beside = (unit: Unit, of: 'first' | 'paced' | 'flat', way: keyof Ways = 'ours') => ({
    ours: each(unit, (one) => one[of][way]),
    baseline: { what: 'the endpoint itself', figure: each(unit, (one) => one[of].bare) },
  })
  return [
    { ...row('added until the first byte'), ...added('first'), aim: { of: 'ours', at: 'most', value: 2 } },
    { ...row('the same, the quickest tenth of the calls'), ...added('quickest') },
    { ...row('until the first byte'), ...beside('ms', 'first') },
    { ...row('processor time of a call'), ...cpu('cpu') },
    {
      ...row('a model of 500 pieces a second'),
      ...beside('events/s', 'paced'),
      aim: { of: 'ratio', at: 'least', value: 0.95 },
    },
    { ...row('a model without a pause'), ...beside('MB/s', 'flat') },
    { ...row('the same through a bare proxy'), ...beside('MB/s', 'flat', 'proxy') },
    { ...row('processor time of 100,000 pieces'), ...cpu('flatCpu') },
  ]
}
