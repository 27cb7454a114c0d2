import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineByTcp } from '../support/carriers.ts'
import { BareDocker } from './support/bare-container.ts'
import { benchProject, PROJECT } from './support/bench-project.ts'
import { figure, type Report, type Row } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'

const ROUNDS = 3
const REQUESTS = 300
const BEAD = 'be-asks'

/** Sends requests for a missing path, one after the other on one connection, and prints the median in milliseconds. */
const ASKS = `
const { Agent, request } = require('node:http')
const agent = new Agent({ keepAlive: true })
const ask = () => new Promise((done, failed) => {
  const asking = request({ port: 4610, path: '/nothing', method: 'POST', agent }, (answer) => answer.resume().once('end', done))
  asking.once('error', failed).end('what a model is asked, but shorter')
})
const all = async () => {
  for (let warm = 0; warm < ${REQUESTS}; warm++) await ask()
  const times = []
  for (let at = 0; at < ${REQUESTS}; at++) {
    const from = performance.now()
    await ask()
    times.push(performance.now() - from)
  }
  console.error('median ' + times.sort((a, b) => a - b)[${REQUESTS >> 1}])
  process.exit(1)
}
void all()
`
const COMMAND = `echo ${Buffer.from(ASKS).toString('base64')} | base64 -d > /tmp/asks.cjs; exec /opt/beadloom/bin/node /tmp/asks.cjs`

/** Small requests from inside a sandbox to the server and back, over the engine's exec and over the mounted socket. */
export async function requests(asked: number | null): Promise<Report> {
  const [bySocket, byExec]: [number[], number[]] = [[], []]
  const tcp = await EngineByTcp.start()
  try {
    for (let round = 1; round <= (asked ?? ROUNDS); round++) {
      bySocket.push(await inASandbox({}))
      byExec.push(await inASandbox({ DOCKER_HOST: tcp.host }))
    }
  } finally {
    await tcp.stop()
    await new BareDocker().removeImages(PROJECT)
  }
  const row = (what: string, values: number[], baseline: Row['baseline'], aim: Row['aim'] = null): Row => ({
    bench: 'requests',
    what,
    ours: figure('ms', values),
    baseline,
    aim,
  })
  const more = byExec.map((value, round) => value - (bySocket[round] ?? Number.NaN))
  return {
    rows: [
      row("a small request of an agent, over the engine's exec", byExec, {
        what: 'over the mounted socket',
        figure: figure('ms', bySocket),
      }),
      row('so much longer than over the socket', more, null, { of: 'ours', at: 'most', value: 2 }),
    ],
    parts: [],
  }
}

async function inASandbox(env: NodeJS.ProcessEnv): Promise<number> {
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')), env)
  try {
    await server.addProject(PROJECT, benchProject({ [BEAD]: COMMAND }), [{ id: BEAD, title: 'Ask' }])
    const { id } = await server.queue(PROJECT, BEAD)
    let printed = ''
    const client = await server.follow(await server.workSession(id), ({ text }) => {
      printed += Buffer.from(text).toString()
    })
    await client.ended
    client.close()
    await server.over(id)
    const median = /^median ([\d.]+)$/m.exec(printed)?.[1]
    if (median === undefined) throw new Error(`the agent told no median: ${printed.slice(-500)}`)
    return Number(median)
  } finally {
    await server.stop()
  }
}
