import type { HostedTool } from './hosted-tools.ts'

/**
 * Betas that only change how an answer is made or transmitted, by their names without the day. All others are left out:
 * they mean tools, files, servers or agents of the endpoint, other prices, or something unknown.
 */
const harmless = new Set([
  'adaptive-thinking',
  'advanced-tool-use',
  'claude-code',
  'computer-use',
  'context-1m',
  'context-hint',
  'context-management',
  'dev-full-thinking',
  'effort',
  'extended-cache-ttl',
  'fine-grained-tool-streaming',
  'inline-tools',
  'interleaved-thinking',
  'max-tokens-3-5-sonnet',
  'mid-conversation-output-config',
  'mid-conversation-system',
  'mid-conversation-system-clear-at',
  'mid-conversation-tool-changes',
  'model-context-window-exceeded',
  'output-128k',
  'output-300k',
  'pdfs',
  'per-turn-control',
  'prompt-caching',
  'prompt-caching-scope',
  'redact-thinking',
  'structured-outputs',
  'task-budgets',
  'thinking-binding-controls',
  'thinking-display-updates',
  'thinking-token-count',
  'token-counting',
  'token-efficient-tools',
  'tool-examples',
  'tool-search-tool',
])

const opens: Readonly<Record<string, HostedTool>> = {
  'web-search': 'web_search',
  'web-search-results-only': 'web_search',
  'web-fetch': 'web_fetch',
  'code-execution': 'code_execution',
}

const withoutDay = (name: string): string => name.replace(/-\d{4}-?\d\d-?\d\d$/, '')

export const isHarmlessBeta = (name: string): boolean => harmless.has(withoutDay(name))

/** The value of `anthropic-beta` to pass on; '': nothing is left. */
export function passedBetas(value: string, open: readonly HostedTool[]): { value: string; dropped: string[] } {
  const names = value.split(',').map((name) => name.trim())
  const isPassed = (name: string): boolean => {
    const plain = withoutDay(name)
    return harmless.has(plain) || (Object.hasOwn(opens, plain) && open.includes(opens[plain]!))
  }
  const dropped = names.filter((name) => name !== '' && !isPassed(name))
  if (dropped.length === 0) return { value, dropped }
  return { value: names.filter(isPassed).join(','), dropped }
}
