import { ScriptedModel, type Turn } from './scripted-model.ts'
import { workWith, type Kit } from './session-kit.ts'

export type LoopBounds = { maxSteps?: number; toolOutputLimit?: number }

/** A whole session of the built-in agent, whose model says these turns. */
export async function playLoop(kit: Kit, turns: Turn[], { maxSteps = 10, toolOutputLimit = 5000 }: LoopBounds = {}) {
  const model = await ScriptedModel.start(...turns)
  const work = workWith({ name: 'openai', model: 'scripted', maxSteps, toolTimeoutMs: 20_000, toolOutputLimit })
  const result = await kit.run(work, { linkUrl: model.url })
  return { model, result }
}
