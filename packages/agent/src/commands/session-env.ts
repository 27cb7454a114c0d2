import { LINK_URL } from '@beadloom/core/execution/session-order.ts'
import type { Env } from './run-command.ts'

/** Agents refuse to start without a key; the real one stays with the gateway. */
export const PLACEHOLDER_KEY = 'beadloom-gateway-adds-the-key'

/**
 * The environment of every command: the image's own, no prompts, and the gateway in the variables where the well-known
 * agents look for a model. `BEADLOOM_MODEL` is for command lines that take the model as an argument.
 */
export function sessionEnv(image: Env, linkUrl: string, model: string | null): Env {
  const local = '127.0.0.1,localhost'
  const direct = [image['NO_PROXY'] ?? image['no_proxy'], local].filter(Boolean).join(',')
  return {
    LANG: 'C.UTF-8',
    ...image,
    CI: '1',
    NO_PROXY: direct,
    no_proxy: direct,
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_LFS_SKIP_SMUDGE: '1',
    OPENAI_BASE_URL: `${linkUrl}/v1`,
    OPENAI_API_KEY: PLACEHOLDER_KEY,
    ANTHROPIC_BASE_URL: linkUrl,
    ANTHROPIC_API_KEY: PLACEHOLDER_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    [LINK_URL]: linkUrl,
    ...(model === null ? {} : { BEADLOOM_MODEL: model }),
  }
}
