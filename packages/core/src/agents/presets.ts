import { isPreset, type AgentName, type PresetName } from './agent-names.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import type { AgentApi, AgentPreset } from './preset.ts'

/** A new agent needs a file, a line here, and its name and title in `agent-names.ts`. */
export const presets = { codex, claude, opencode, pi } as const satisfies Record<PresetName, AgentPreset>

/** Null: the command line decides. */
export const apiOfAgent = (name: AgentName): AgentApi | null =>
  isPreset(name) ? presets[name].api : name === 'openai' ? 'chat' : null
