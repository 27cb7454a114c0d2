import { tools, type Tool } from '../found.ts'

/** The names of asdf, mise and devcontainer features for tools that have another name here. */
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

/** The version for a tool's installer; null: any will do, as for "latest". */
export function versionNamed(tool: Tool, version: string | null): string | null {
  if (version === null || version === 'latest' || version === 'system' || version === 'none') return null
  return tool === 'java' ? javaNamed(version) : version
}

/** SDKMAN!, jenv, asdf and mise also name the vendor (`21.0.2-tem`, `temurin64-17.0.1`); 1.8 is Java 8. */
function javaNamed(name: string): string {
  const ofGraal = /java(\d{1,3})-|\.r(\d{1,3})-/.exec(name)
  const version = ofGraal?.[1] ?? ofGraal?.[2] ?? /(?:^|[-@])(\d{1,3}(?:\.\d{1,4}){0,2})/.exec(name)?.[1] ?? name
  return /^1\.(\d{1,2})/.exec(version)?.[1] ?? version
}
