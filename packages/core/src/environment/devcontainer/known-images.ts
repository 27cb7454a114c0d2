import { toolClaim } from '../claims.ts'
import type { Place, Tool, ToolClaim } from '../found.ts'

/** The images that devcontainers are made of where nobody makes one. `null`: no language of its own. */
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
 * What an image stands for that Microsoft's registry has for devcontainers: its toolchains, so that a machine which does not
 * reach that registry has them all the same. Null: another image.
 */
export function knownImage(image: string, from: Place): ToolClaim[] | null {
  const [, name = '', tag = ''] = NAME.exec(image) ?? []
  const tools = KNOWN.get(name)
  if (tools === undefined) return null
  const version = name === 'base' ? null : versionIn(tag)
  return tools.flatMap((tool, at) => toolClaim(tool, at === 0 ? version : null, from))
}

/** `1-3.12-bookworm` is image 1 with version 3.12, `3.12-bookworm` and `3.12` any image with it. `1-bookworm` of Rust says 1. */
function versionIn(tag: string): string | null {
  const numbers = tag
    .replace(/^dev-/, '')
    .split('-')
    .filter((part) => /^\d+(?:\.\d+){0,2}$/.test(part))
  return numbers[1] ?? numbers[0] ?? null
}
