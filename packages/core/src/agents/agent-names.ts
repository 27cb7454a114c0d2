const presetTitles = { codex: 'Codex', claude: 'Claude Code', opencode: 'opencode', pi: 'pi' } as const

/** An agent that people already use. How it is called is in `presets.ts`, which pages that only name it do not load. */
export type PresetName = keyof typeof presetTitles
export const presetNames = Object.keys(presetTitles) as [PresetName, ...PresetName[]]

/** What `"agent"` takes: the built-in agent, any command line, or one of the presets. */
export type AgentName = 'openai' | 'command' | PresetName
export const agentNames: [AgentName, ...AgentName[]] = ['openai', 'command', ...presetNames]

/** For people. */
export const agentTitles: Record<AgentName, string> = {
  openai: 'Built-in agent',
  command: 'Command line',
  ...presetTitles,
}

export const isPreset = (name: AgentName): name is PresetName => Object.hasOwn(presetTitles, name)
