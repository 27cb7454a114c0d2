import { commandClaim, place, toolClaim } from '../claims.ts'
import { jsonLine, readJson } from '../formats/json-text.ts'
import { fieldsOf, textOf } from '../formats/records.ts'
import { elementsOf } from '../formats/xml-text.ts'
import type { Reading, ToolClaim } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'

const GLOBAL = 'global.json'
/** Solutions of C++ have the same ending. */
const isOfCpp = (solution: string): boolean =>
  /\.vcx?proj\b/.test(solution) && !/\.(?:csproj|fsproj|vbproj)\b/.test(solution)
const PROJECT = /\.(?:csproj|fsproj|vbproj)$/

/** A solution or projects; the version in `global.json` counts before the target of a project. */
export function dotnet(folder: Folder): Reading | null {
  const solution = folder.names.find((name) => /\.slnx?$/.test(name) && !isOfCpp(folder.text(name) ?? ''))
  const project = folder.names.find((name) => PROJECT.test(name))
  const file = solution ?? project
  if (file === undefined) return folder.has(GLOBAL) ? { tools: sdkOf(folder) } : null
  const target = targetOf(folder, [project, 'Directory.Build.props'])
  const tools = [...sdkOf(folder), ...target]
  const command = (purpose: 'setup' | 'build' | 'test', line: string) =>
    commandClaim(folder, 'dotnet', purpose, line, place(folder, file))
  return {
    tools: tools.length > 0 ? tools : toolClaim('dotnet', null, place(folder, file)),
    commands: [
      ...command('setup', 'dotnet restore'),
      ...command('build', 'dotnet build --no-restore'),
      ...(mayTest(folder, solution) ? command('test', 'dotnet test --no-restore') : []),
    ],
    techStack: [file.endsWith('.fsproj') ? 'F#' : file.endsWith('.vbproj') ? 'Visual Basic' : 'C#', '.NET'],
  }
}

/** A single program has no tests unless it references a test runner. The projects of a solution are not read. */
function mayTest(folder: Folder, solution: string | undefined): boolean {
  const projects = folder.below(PROJECT, MOST_PROJECTS)
  const isAlone = solution === undefined && projects.every((name) => folder.names.includes(name))
  return !isAlone || projects.some((name) => OF_TESTS.test(folder.text(name) ?? 'xunit'))
}

const MOST_PROJECTS = 20
const OF_TESTS =
  /Microsoft\.NET\.Test\.Sdk|Microsoft\.Testing|\bxunit|\bnunit|\bMSTest|\bTUnit\b|\bExpecto\b|IsTestProject/i

function sdkOf(folder: Folder): ToolClaim[] {
  const text = folder.text(GLOBAL)
  if (text === null) return []
  const sdk = fieldsOf(fieldsOf(readJson(text))['sdk'])
  const version = textOf(sdk['version'])
  const rolls = textOf(sdk['rollForward']) !== null && sdk['rollForward'] !== 'disable'
  return version === null
    ? []
    : toolClaim('dotnet', version, place(folder, GLOBAL, jsonLine(text, ['sdk', 'version'])), { least: rolls })
}

/** The newest of `net8.0;net9.0`: its SDK builds for the older ones too. */
function targetOf(folder: Folder, files: readonly (string | undefined)[]): ToolClaim[] {
  for (const file of files) {
    if (file === undefined) continue
    const text = folder.text(file) ?? ''
    for (const { text: value, line } of [
      ...elementsOf(text, 'TargetFramework'),
      ...elementsOf(text, 'TargetFrameworks'),
    ]) {
      const versions = [...value.matchAll(/net(\d{1,2}\.\d)/g)].map(([, version = '']) => version)
      const newest = versions.sort((a, b) => Number(a) - Number(b)).at(-1)
      if (newest !== undefined) return toolClaim('dotnet', newest, place(folder, file, line), { least: true })
    }
  }
  return []
}
