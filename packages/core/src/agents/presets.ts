import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import type { AgentApi, AgentPreset } from './preset.ts'

/** By the name that `"agent"` takes. A new one is one file and one line here. */
export const presets = { codex, claude, opencode, pi } as const satisfies Record<string, AgentPreset>

export type PresetName = keyof typeof presets
export const presetNames = Object.keys(presets) as [PresetName, ...PresetName[]]

/** The built-in agent, any command line, or one of the presets. */
export type AgentName = 'openai' | 'command' | PresetName
export const agentNames: [AgentName, ...AgentName[]] = ['openai', 'command', ...presetNames]

/** Null: whichever the command line uses. */
export const apiOfAgent = (name: AgentName): AgentApi | null =>
  isPreset(name) ? presets[name].api : name === 'openai' ? 'chat' : null

export const isPreset = (name: AgentName): name is PresetName => Object.hasOwn(presets, name)
