import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Message } from '@beadloom/core/records/message.ts'
import { chance } from '../crash/chance.ts'
import { containerFacts } from '../crash/container-watch.ts'
import { seed, sized } from '../crash/size.ts'
import { tally } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { ChatModel, textOf, type ChatAnswer, type Said } from '../support/chat-model.ts'

/*
 * People speak to agents while the server, the agent and its supervisor are killed. Each message has to be in the
 * conversation once, in order, and in the agent's next call.
 */
let victim: Victim | null = null
let model: ChatModel | null = null
afterEach(async () => {
  await victim?.remove()
  model?.close()
  victim = null
})

const ROUNDS = sized(1, 14)
const BEADS = 3
/** Fewer than those of which a later agent is told (`MOST_TOLD`). */
const MESSAGES = sized(8, 25)
const SERVER_KILLS = sized(2, 6)
const BETWEEN_MS = 400
const AGAIN_MS = 200

const wordOf = (bead: string, n: number): string => `<<${bead}:${n}>>`
/** The numbers of a bead's messages, as they are in a conversation. */
const heard = (bead: string, conversation: readonly Said[]): number[] =>
  [
    ...conversation
      .map(textOf)
      .join('\n')
      .matchAll(new RegExp(`<<${bead}:(\\d+)>>`, 'g')),
  ].map(([, n]) => Number(n))
const beadIn = (conversation: readonly Said[]): string =>
  /\bt\d+-\d+\b/.exec(conversation.map(textOf).join('\n'))?.[0] ?? ''

/** Works in small steps until it has been told everything. */
function answerTo(conversation: Said[]): ChatAnswer {
  const bead = beadIn(conversation)
  if (heard(bead, conversation).at(-1) !== MESSAGES)
    // Each command is another one: an agent that repeats itself is ended.
    return { text: 'I go on.', command: `sleep 0.3; echo step ${conversation.length}` }
  const isDone = conversation.some((one) => one.role === 'tool' && textOf(one).includes('committed'))
  const commit = `echo x > ${bead}.txt; git add -A; git commit -qm done; git push -q; echo committed`
  return isDone ? { text: 'It is done.' } : { text: 'I commit.', command: commit }
}

/** The processes from the container's first to its agent: init, supervisor, agent. */
function processesOf(container: string): number[] {
  const child = (pid: number) =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').find(Boolean) ?? 0)
  const supervisor = child(containerFacts(container).pid)
  return [supervisor, child(supervisor)]
}

/** Kills the server again and again, and once an agent and a supervisor of others of these executions. */
async function killMeanwhile(server: Victim, ids: readonly string[], random: () => number): Promise<void> {
  const dies = ['agent', 'supervisor'] as const
  for (let kill = 0; kill < SERVER_KILLS; kill++) {
    await delay(BETWEEN_MS + random() * 2_000)
    const who = dies[kill]
    const [container] = who === undefined ? [] : server.watch.agents(ids[kill]!).slice(-1)
    if (container !== undefined) {
      const [supervisor, agent] = processesOf(container)
      const pid = who === 'agent' ? agent : supervisor
      if (pid) process.kill(pid, 'SIGKILL')
      tally({ fault: `SIGKILL of the ${who} of an agent that is spoken to`, times: 1, sigkills: 1 })
    }
    await delay(random() * BETWEEN_MS)
    await server.kill()
    await server.again()
  }
}

test('messages are neither lost nor doubled nor out of order, and the next call has them, whatever is killed', async () => {
  model = await ChatModel.open(answerTo)
  const chat = model
  victim = await Victim.start({ env: chat.env })
  const server = victim
  const random = chance(seed)
  const wrong: string[] = []
  let late = 0
  for (let round = 0; round < ROUNDS; round++) {
    const project = `t${round}`
    const beads = Array.from({ length: BEADS }, (_, at) => `${project}-${at + 1}`)
    const config = {
      techStack: ['Shell'],
      test: 'true',
      setup: null,
      verification: { proveBase: false },
      retry: { retryCount: 10, retryDelay: 1 },
      limits: { maxSteps: 1000, maxSessions: 50 },
    }
    await server.addProject(project, {
      files: { 'beadloom.json': JSON.stringify({ ...config, model: 'test-model' }), 'README.md': 'A sample.\n' },
      beads: beads.map((id) => ({ id, title: `Work of ${id}` })),
    })
    const ids = await Promise.all(beads.map((bead) => server.queue(project, bead)))
    for (const bead of beads) while (!chat.asked.some((one) => beadIn(one) === bead)) await delay(AGAIN_MS)

    const killed = killMeanwhile(server, ids, random)
    const acked = new Map<string, number>()
    const speak = async (bead: string, id: string) => {
      for (let n = 1; n <= MESSAGES; n++) {
        if (n === MESSAGES) await killed // until then it works
        const body = { text: `Remember ${wordOf(bead, n)}.`, when: n % 5 === 0 ? 'now' : 'step' }
        for (let stored = false; !stored;) {
          stored = await server.keyed<Message>(`/api/executions/${id}/messages`, `${bead}-${n}`, body).then(
            () => true,
            (error: unknown) => {
              if (/answered 4\d\d/.test(String(error))) throw error
              return false // the server is away
            },
          )
          if (!stored) await delay(AGAIN_MS)
        }
        acked.set(wordOf(bead, n), chat.asked.length)
        await delay(random() * BETWEEN_MS)
      }
    }
    await Promise.all([killed, ...beads.map((bead, at) => speak(bead, ids[at]!))])
    for (const id of ids) await server.ended(id)

    for (const [at, bead] of beads.entries()) {
      const { state, detail } = await server.execution(ids[at]!)
      if (state !== 'COMPLETED') wrong.push(`${bead} ended ${state}: ${detail}`)
      const calls = chat.asked.flatMap((conversation, index) =>
        beadIn(conversation) === bead ? [{ index, numbers: heard(bead, conversation) }] : [],
      )
      for (const { index, numbers } of calls)
        if (numbers.some((n, place) => place > 0 && n <= numbers[place - 1]!))
          wrong.push(`call ${index} has ${bead}'s messages in the order ${numbers.join(' ')}`)
      for (let n = 1; n <= MESSAGES; n++) {
        const word = wordOf(bead, n)
        const first = calls.findIndex(({ numbers }) => numbers.includes(n))
        if (first < 0) wrong.push(`${word} was never told`)
        else if (!calls.at(-1)!.numbers.includes(n)) wrong.push(`${word} is gone at the end`)
        // A call may have been under way when it was stored.
        if (calls.slice(0, Math.max(0, first)).filter(({ index }) => index >= acked.get(word)!).length > 1) late++
      }
    }
    tally({
      fault: 'a message to an agent',
      times: BEADS * MESSAGES,
      lost: wrong.filter((one) => one.includes('never')).length,
    })
    tally({ fault: 'SIGKILL of the server of an agent that is spoken to', times: SERVER_KILLS, sigkills: SERVER_KILLS })
  }
  expect(wrong).toEqual([])
  expect(late).toBe(0)
}, 3_600_000)
