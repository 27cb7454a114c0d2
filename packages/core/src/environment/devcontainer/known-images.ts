import { toolClaim } from '../claims.ts'
import type { Place, Tool, ToolClaim } from '../found.ts'

/** The images that most devcontainers use. Empty: no language of its own. */
const KNOWN: ReadonlyMap<string, readonly Tool[]> = new Map<string, readonly Tool[]>([
  ['base', []],
  ['javascript-node', ['node']],
  ['typescript-node', ['node']],
  ['python', ['python']],
  ['go', ['go']],
  ['rust', ['rust']],
  ['java', ['java']],
  ['ruby', ['ruby']],
  ['php', ['php', 'composer']],
])
const NAME = /^mcr\.microsoft\.com\/(?:vscode\/)?devcontainers\/([a-z-]+)(?::([\w.-]{1,128}))?$/

/**
 * The toolchains of an image that Microsoft's registry has for devcontainers, so that a machine without access to that
 * registry still has them. Null: another image.
 */
export function knownImage(image: string, from: Place): ToolClaim[] | null {
  const [, name = '', tag = ''] = NAME.exec(image) ?? []
  const tools = KNOWN.get(name)
  if (tools === undefined) return null
  const version = name === 'base' ? null : versionIn(tag)
  return tools.flatMap((tool, at) => toolClaim(tool, at === 0 ? version : null, from))
}

/** `1-3.12-bookworm` is image 1 with 3.12; `3.12-bookworm` and `3.12` are any with it. Rust's `1-bookworm` is 1. */
function versionIn(tag: string): string | null {
  const numbers = tag
    .replace(/^dev-/, '')
    .split('-')
    .filter((part) => /^\d+(?:\.\d+){0,2}$/.test(part))
  return numbers[1] ?? numbers[0] ?? null
}
