import { tools, type Tool } from '../found.ts'

/** What asdf, mise and features of devcontainers call tools that have another name here. */
const OTHER_NAMES: ReadonlyMap<string, Tool> = new Map([
  ['nodejs', 'node'],
  ['golang', 'go'],
  ['dotnet-core', 'dotnet'],
  ['dotnet-sdk', 'dotnet'],
  ['openjdk', 'java'],
])

export function toolNamed(name: string): Tool | null {
  // `core:node` is mise's own way of installing it.
  const plain = name.replace(/^(?:core|asdf|vfox):/, '')
  return OTHER_NAMES.get(plain) ?? tools.find((tool) => tool === plain) ?? null
}

/** "latest" is no version: any will do. */
export const newestIsAny = (version: string | null): string | null =>
  version === 'latest' || version === 'system' || version === 'none' ? null : version
