import { mergeIssues } from '@beadloom/server/src/beads/jsonl/merge-issues.ts'
import { parseIssues } from '@beadloom/server/src/beads/testing/parse-issues.ts'
import { withoutCredentials } from '@beadloom/server/src/hub/remote/remote.ts'
import { readAgentFile } from '@beadloom/core/agents/named/agent-file.ts'
import { namesIn } from '@beadloom/core/execution/outside-files.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { parseEventLine } from '@beadloom/core/log/event-line.ts'
import { readPlanText } from '@beadloom/core/plan/read-plan.ts'
import { parseAnswer } from '@beadloom/core/review/review.ts'
import { jsonProblem } from '@beadloom/core/text/json-problem.ts'
import { valueWithin } from '@beadloom/core/text/json-values.ts'
import { runnerNamed } from '@beadloom/core/verdict/command-parts.ts'
import { namedCommands } from '@beadloom/core/verdict/named-commands.ts'
import { verdictReadings } from '@beadloom/core/verdict/verdict-readings.ts'
import { digestText, genericDigest } from '@beadloom/core/digest/digest-reader.ts'
import { scanText } from '@beadloom/core/digest/testing/scan-text.ts'
import { digestTools } from '@beadloom/core/digest/tools.ts'
import { endOfSetupOutput } from '@beadloom/core/environment/setup-failures/end-of-setup.ts'
import { imagesOfDockerfile } from '@beadloom/core/environment/formats/dockerfile-text.ts'
import { readGitmodules } from '@beadloom/core/environment/formats/gitmodules.ts'
import { look } from '@beadloom/core/environment/look.ts'
import { parseProjectConfig } from '@beadloom/core/project/project-config.ts'
import { maskedSecrets } from '@beadloom/core/secrets/masked-secrets.ts'
import { secretsOfChange } from '@beadloom/core/secrets/secrets-of-change.ts'
import { testsOfChange } from '@beadloom/core/tamper/tests-of-change.ts'
import { changeOf, filesChanged, partsNotRun, patchOf, pathsAsked } from './changes.ts'
import { messagesAdded, requestPassed } from './model-requests.ts'
import { namesCompared } from './names-compared.ts'

/**
 * `sources`: folders and files below the repository's root whose code says what the parser looks for. `most`: longer
 * texts are not tried, because a file past its limit is not read at all.
 */
export type Parser = {
  read: (text: string) => unknown
  sources: readonly string[]
  samples: readonly string[]
  most: number
}

const ANY = { most: 128 * 1024 }
const DEAR = { most: 64 * 1024 }
/** For parsers that are limited by the number of values: a short text of small ones reaches the limit. */
const COUNTED = { most: 20 * 1024 }
/** For files: below the limit, also with the last part, however long it is. */
const FILE = { most: 128 * 1024 }

const environment = 'packages/core/src/environment'
const readers = `${environment}/readers`

/** Files of a repository, and the sources of their readers. */
const files: Record<string, readonly string[]> = {
  'package.json': [`${environment}/node`, `${readers}/node.ts`],
  'pnpm-workspace.yaml': [`${environment}/node`],
  'deno.json': [`${readers}/deno.ts`],
  'pyproject.toml': [`${readers}/python`],
  'setup.py': [`${readers}/python`],
  'setup.cfg': [`${readers}/python`],
  'tox.ini': [`${readers}/python`],
  'noxfile.py': [`${readers}/python`],
  'requirements.txt': [`${readers}/python`],
  'go.mod': [`${readers}/go.ts`],
  'go.work': [`${readers}/go.ts`],
  'Cargo.toml': [`${readers}/rust.ts`],
  'rust-toolchain': [`${readers}/rust.ts`],
  'pom.xml': [`${readers}/jvm`],
  'build.gradle': [`${readers}/jvm`],
  'settings.gradle': [`${readers}/jvm`],
  'a.csproj': [`${readers}/dotnet.ts`],
  'global.json': [`${readers}/dotnet.ts`],
  Gemfile: [`${readers}/ruby.ts`],
  'Gemfile.lock': [`${readers}/ruby.ts`],
  'a.gemspec': [`${readers}/ruby.ts`],
  Rakefile: [`${readers}/ruby.ts`],
  'composer.json': [`${readers}/php.ts`],
  'mix.exs': [`${readers}/elixir.ts`],
  Makefile: [`${readers}/make.ts`],
  justfile: [`${readers}/make.ts`],
  'mise.toml': [`${readers}/version-files.ts`],
  '.tool-versions': [`${readers}/version-files.ts`],
  '.nvmrc': [`${readers}/version-files.ts`],
  'CMakeLists.txt': [`${readers}/c`],
  'meson.build': [`${readers}/c`],
  'configure.ac': [`${readers}/c`],
  'Package.swift': [`${readers}/swift.ts`],
  'build.zig': [`${readers}/zig.ts`],
  'pubspec.yaml': [`${readers}/dart.ts`],
  '.gitmodules': [`${readers}/git-parts.ts`],
  '.gitattributes': [`${readers}/git-parts.ts`],
  '.devcontainer/devcontainer.json': [`${readers}/devcontainer`],
  'compose.yaml': [`${readers}/compose.ts`, `${readers}/compose-service.ts`],
  '.github/workflows/ci.yml': [`${readers}/workflows`],
}

const changed: Record<string, string> = {
  script: 'src/a.test.ts',
  python: 'tests/test_a.py',
  go: 'a/a_test.go',
  rust: 'src/lib.rs',
  java: 'src/test/java/ATest.java',
  cpp: 'test/a_test.cpp',
  code: 'src/main/java/A.java',
  settings: 'package.json',
  recipe: 'Makefile',
  cmake: 'CMakeLists.txt',
  maven: 'pom.xml',
  gradle: 'build.gradle',
  cargo: 'Cargo.toml',
  python_settings: 'setup.cfg',
}

/** Files that define a command, each with that command. */
const commands: Record<string, string> = {
  'package.json': 'npm test',
  Makefile: 'make test',
  'test.sh': 'sh test.sh',
}

const sampleOf = (tool: string): string => `packages/core/src/digest/fixtures/${tool}`
const sourceOf = 'packages/core/src/digest/tools'
const project = parseProjectId('p')

/** All of them, by name. */
export const parsers: Readonly<Record<string, Parser>> = {
  ...Object.fromEntries(
    digestTools.map((tool) => [
      `digest-${tool.name}`,
      { read: (text: string) => scanText(tool, text), sources: [sourceOf], samples: [sampleOf(tool.name)], ...ANY },
    ]),
  ),
  digest: {
    read: (text) => digestText(text, {}, 1),
    sources: ['packages/core/src/digest/reading', 'packages/core/src/digest/generic.ts'],
    samples: [sampleOf('packages'), sampleOf('several')],
    ...ANY,
  },
  'digest-generic': {
    read: (text) => genericDigest(text),
    sources: ['packages/core/src/digest/generic.ts'],
    samples: [sampleOf('several')],
    ...ANY,
  },
  'end-of-setup': {
    read: endOfSetupOutput,
    sources: [`${environment}/end-of-setup.ts`],
    samples: [sampleOf('maven')],
    ...ANY,
  },
  ...Object.fromEntries(
    Object.entries(files).map(([file, sources]) => [
      `file-${file.replaceAll('/', '_')}`,
      {
        read: (text: string) => look({ paths: [file, 'tests/test_a.py'], texts: new Map([[file, text]]) }),
        sources: [...sources, `${environment}/formats`],
        samples: [`${environment}/testing`],
        ...FILE,
      },
    ]),
  ),
  gitmodules: { read: readGitmodules, sources: [`${environment}/formats/gitmodules.ts`], samples: [], ...FILE },
  ...Object.fromEntries(
    Object.entries(changed).map(([name, path]) => [
      `tests-${name}`,
      {
        read: (text: string) => testsOfChange(changeOf(path, text)),
        sources: ['packages/core/src/tamper'],
        samples: ['packages/core/src/testing/sample-patch.ts'],
        ...DEAR,
      },
    ]),
  ),
  'tests-files': { read: filesChanged, sources: ['packages/core/src/tamper'], samples: [], ...DEAR },
  'tests-paths': { read: pathsAsked, sources: ['packages/core/src/tamper'], samples: [], ...ANY },
  secrets: {
    read: (text) => secretsOfChange([patchOf('src/a.tf', text)]),
    sources: ['packages/core/src/secrets'],
    samples: [],
    // Two hundred rules may look at every line: expensive from the first byte on, but linear.
    most: 16 * 1024,
  },
  masked: {
    read: maskedSecrets,
    sources: ['packages/core/src/secrets'],
    samples: [],
    most: 16 * 1024,
  },
  'secrets-patch': {
    read: (text) => secretsOfChange([text]),
    sources: ['packages/core/src/secrets/added-blocks.ts'],
    samples: ['packages/core/src/testing/sample-patch.ts'],
    ...ANY,
  },
  issues: {
    read: (text) => parseIssues(project, text),
    sources: ['apps/server/src/beads/jsonl'],
    samples: [],
    ...ANY,
  },
  'issues-merge': {
    read: (text) => {
      const half = text
        .split('\n')
        .filter((_, at) => at % 2 === 0)
        .join('\n')
      return [mergeIssues(text, half, text), mergeIssues(half, text, half)]
    },
    sources: ['apps/server/src/beads/jsonl'],
    samples: [],
    ...ANY,
  },
  config: { read: config, sources: ['packages/core/src/project'], samples: ['beadloom.json'], ...COUNTED },
  plan: { read: readPlanText, sources: ['packages/core/src/plan'], samples: [], ...COUNTED },
  review: { read: parseAnswer, sources: ['packages/core/src/review'], samples: [], ...COUNTED },
  'json-problem': { read: jsonProblem, sources: ['packages/core/src/text/json-problem.ts'], samples: [], ...ANY },
  'json-values': {
    read: (text) => valueWithin(text, 100_000),
    sources: ['packages/core/src/text/json-values.ts'],
    samples: [],
    ...ANY,
  },
  dockerfile: {
    read: (text) => imagesOfDockerfile(text),
    sources: [`${environment}/formats/dockerfile-text.ts`],
    samples: ['docker'],
    // Its limit is twenty thousand lines.
    most: 20 * 1024,
  },
  'agent-file': {
    read: (text) => readAgentFile('.claude/agents/a.md', `---\n${text}`),
    sources: ['packages/core/src/agents/named'],
    samples: [],
    most: 64 * 1024,
  },
  'event-line': {
    read: (text) => parseEventLine(`{"n":1,"at":1,${text}`),
    sources: ['packages/core/src/log/event-line.ts'],
    samples: [],
    most: 60 * 1024,
  },
  ...Object.fromEntries(
    Object.entries(commands).map(([file, command]) => [
      `commands-${file}`,
      {
        read: (text: string) => runnerNamed(command, namedCommands(command, new Map([[file, text]]))),
        sources: ['packages/core/src/verdict'],
        samples: [],
        ...COUNTED,
      },
    ]),
  ),
  'verdict-sources': {
    read: (text) => [
      verdictReadings.titles([text]),
      verdictReadings.declare([text]),
      verdictReadings.formerTests([{ path: 'src/lib.rs', now: text, before: '#[cfg(test)]\nmod tests {}\n' }]),
      verdictReadings.frameworks([`${text}\n#include <gtest/gtest.h>`]),
    ],
    sources: ['packages/core/src/tamper', 'packages/core/src/verdict'],
    samples: [],
    ...COUNTED,
  },
  'verdict-touched': {
    read: (text) => verdictReadings.touched(changeOf('src/a.test.ts', text).files),
    sources: ['packages/core/src/tamper', 'packages/core/src/verdict'],
    samples: ['packages/core/src/testing/sample-patch.ts'],
    ...COUNTED,
  },
  'pass-request': { read: requestPassed, sources: ['packages/core/src/gateway'], samples: [], ...ANY },
  'with-messages': {
    read: messagesAdded,
    sources: ['packages/core/src/gateway/added-messages.ts'],
    samples: [],
    ...ANY,
  },
  'named-files': {
    read: (text) => namesIn({ task: text, planned: [] }),
    sources: ['packages/core/src/execution/outside-files.ts'],
    samples: [],
    ...ANY,
  },
  'parts-not-run': {
    read: partsNotRun,
    sources: ['packages/core/src/verdict/not-checked.ts'],
    samples: [],
    ...COUNTED,
  },
  'remote-words': {
    read: withoutCredentials,
    sources: ['apps/server/src/hub/remote/remote.ts'],
    samples: [],
    ...ANY,
  },
  'verdict-names': {
    read: namesCompared,
    sources: ['packages/core/src/verdict'],
    samples: [],
    ...DEAR,
  },
}

function config(text: string): unknown {
  try {
    return parseProjectConfig(text)
  } catch {
    return null
  }
}
