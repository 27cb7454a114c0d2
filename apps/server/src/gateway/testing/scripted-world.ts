import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { expect, onTestFinished } from 'vitest'
import type { GatewayCaller } from '../../ports/gateway.ts'
import { startWorld } from './gateway-world.ts'
import { claudeTools } from './offered-tools.ts'

/** A block in the form of Anthropic's API; the official client is no dependency. */
export type Block = { type: string; text?: string; id?: string; name?: string; input?: Record<string, unknown> }
export type Message = {
  type: string
  content: Block[]
  stop_reason: string | null
  usage: Record<string, number>
  input_tokens?: number
  error?: Record<string, string>
}

export const turns = [
  {
    say: 'I look at {{bead}}, attempt {{attempt}}. 🎉 And that is a sentence of more than forty-eight characters.',
    calls: [
      { tool: 'read_file', arguments: { path: 'a.txt', first_line: 2 } },
      { tool: 'bash', arguments: { command: 'echo "{{bead}}"' } },
    ],
    delayMs: 300,
  },
  { calls: [{ tool: 'bash', arguments: { command: 'true' } }] },
  { say: 'Done.' },
]
const scenario = {
  name: 'play',
  about: 'For tests.',
  beads: {
    'demo-1a': { turns },
    'demo-2b': { turns: [{ fail: { status: 529, message: 'too busy' } }] },
    'review:demo-1a': { turns: [{ document: { of: '{{bead}}' } }] },
    'review:demo-2b': {
      turns: [{ say: 'I have seen enough.' }, { calls: [{ tool: 'submit_review', arguments: { of: '{{bead}}' } }] }],
    },
    'code-review-agent:demo-1a': { turns: [{ say: 'No issues in {{bead}}.' }] },
    'demo-3c': { turns: [{ calls: [{ tool: 'fly', arguments: {} }] }] },
  },
  titles: { 'Sort the list': { turns: [{ say: 'I sort.' }] } },
}

/** A gateway that plays three turns at demo-1a, fails at demo-2b, and answers a review with a document. */
export async function scripted(who: Partial<GatewayCaller> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'scenarios-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'play.json'), JSON.stringify(scenario))
  const world = await startWorld(() => expect.unreachable('the endpoint was called'), {
    who: { model: 'scripted', scenario: 'play', ...who },
    options: { upstream: null, scenariosFolder: folder },
  })
  const client = new OpenAI({ baseURL: `${world.url}/v1`, apiKey: 'any', maxRetries: 0 })
  const messages = async (more: object) => {
    const response = await world.post('/v1/messages?beta=true', { max_tokens: 32_000, tools: claudeTools, ...more })
    return { status: response.status, body: (await response.json()) as Message }
  }
  return { ...world, client, messages }
}
