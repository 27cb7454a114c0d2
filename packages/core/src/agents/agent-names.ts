const presetTitles = { codex: 'Codex', claude: 'Claude Code', opencode: 'opencode', pi: 'pi' } as const

/**
 * An agent that people already use. Its command line is in `presets.ts`, which a page that only names it does not load.
 */
export type PresetName = keyof typeof presetTitles
export const presetNames = Object.keys(presetTitles) as [PresetName, ...PresetName[]]

/** The values of `"agent"`: the built-in agent, any command line, or one of the presets. */
export type AgentName = 'openai' | 'command' | PresetName
export const agentNames: [AgentName, ...AgentName[]] = ['openai', 'command', ...presetNames]

/** For people. */
export const agentTitles: Record<AgentName, string> = {
  openai: 'Built-in agent',
  command: 'Command line',
  ...presetTitles,
}

export const isPreset = (name: AgentName): name is PresetName => Object.hasOwn(presetTitles, name)
