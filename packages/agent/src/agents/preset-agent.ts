import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { agentTitles } from '@beadloom/core/agents/agent-names.ts'
import { AGENTS_FOLDER } from '@beadloom/core/agents/preset.ts'
import { presets } from '@beadloom/core/agents/presets.ts'
import type { AgentOrder } from '@beadloom/core/execution/session-order.ts'
import type { AgentEnd, AgentVoice } from '../ends/agent-end.ts'
import { Conversations } from './conversations.ts'
import { GRACE_AFTER_OVER_MS, runProgram } from './command-agent.ts'
import type { SessionDeps } from '../commands/session-deps.ts'
import { SessionFailure } from '../ends/session-failure.ts'

/** For agents that run on Node, which a project's own image may not have. */
const NODE_FOLDER = '/opt/beadloom/bin'

/**
 * Runs an agent that people know, unchanged: it is in the image, and its preset says how to call it and what it prints.
 */
export async function runPresetAgent(
  deps: SessionDeps,
  voice: AgentVoice,
  { preset: name, model, arguments: extra }: Extract<AgentOrder, { name: 'preset' }>,
  prompt: string,
  { continues: next, graceMs = GRACE_AFTER_OVER_MS }: { continues?: string | undefined; graceMs?: number } = {},
): Promise<AgentEnd> {
  const preset = presets[name]
  const conversations = new Conversations(deps.env['HOME'])
  const continues = next !== undefined && (await conversations.isOf(name))
  const program = join(AGENTS_FOLDER, name, 'node_modules/.bin', preset.program)
  const { argv, env, files, shell, stdin } = preset.call({
    program,
    linkUrl: deps.linkUrl,
    model,
    extra,
    prompt: continues ? next : prompt,
    continues,
  })
  const home = deps.env['HOME']
  if (!home) throw new SessionFailure(`HOME is not set, so there is no place for ${agentTitles[name]}'s configuration`)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  const own = shell === undefined ? {} : { SHELL: await writeShell(home, shell) }
  await conversations.begin(name)
  const path = [deps.env['PATH'], NODE_FOLDER].filter(Boolean).join(':')
  return runProgram(deps, voice, {
    argv,
    env: { ...deps.env, PATH: path, ...own, ...env },
    stdin,
    translate: preset.translator(),
    graceMs,
  })
}

/** Writes it under a name by which agents know what it understands. Returns its path. */
async function writeShell(home: string, text: string): Promise<string> {
  const path = join(home, '.beadloom/bash')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  await chmod(path, 0o755)
  return path
}
