import { commandClaim, place, toolClaim, unreadable } from '../../claims.ts'
import { linesOf } from '../../formats/lines.ts'
import { fieldsOf, textOf } from '../../formats/records.ts'
import { readToml, tomlLine } from '../../formats/toml-text.ts'
import type { Reading, ToolClaim } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { testedApart } from './apart.ts'
import { isExtension } from './extension.ts'
import { featuresFor, type Features } from './features-of-ci.ts'
import { linesOfCi } from './lines-of-ci.ts'

const FILE = 'Cargo.toml'

/** In a package with a workspace, plain `cargo test` tests only the package, and stops at the first failing crate. */
const TEST = 'cargo test --workspace --no-fail-fast'

/** If one crate does not compile, Cargo tests none; this tests each crate by itself, with its own features. */
function eachCrate(test: string, features: Features, locked: string): string {
  const isSame = features.each.length === 0
  const choice = features.each.map(({ name, words }) => `${name}) with='${words.trim()}';; `).join('')
  const chosen = isSame ? '' : `with=; case "$crate" in ${choice}esac; `
  return `{ ${test} --no-run --quiet 2> /dev/null || for crate in $(cargo tree --workspace --depth 0 --prefix none${locked} | cut -d ' ' -f 1 | sort -u); do ${chosen}cargo test --no-fail-fast${isSame ? features.all : ' $with'}${locked} --package "$crate"; done; false; }`
}

export function rust(folder: Folder): Reading | null {
  const chosen = toolchainOf(folder)
  if (!folder.has(FILE)) return chosen.length === 0 ? null : { tools: chosen }
  const text = folder.text(FILE)
  const manifest = text === null ? {} : readToml(text)
  const command = (purpose: 'setup' | 'test', line: string) =>
    commandClaim(folder, 'rust', purpose, line, place(folder, FILE))
  const locked = folder.has('Cargo.lock') ? ' --locked' : ''
  const ofCi = linesOfCi(folder)
  const features = featuresFor(folder, fieldsOf(manifest), ofCi)
  const test = `${TEST}${features.all}${locked}`
  const isOne = manifest !== null && !Object.hasOwn(fieldsOf(manifest), 'workspace')
  const isTested = !isExtension(folder, fieldsOf(manifest))
  return {
    tools: [...chosen, ...leastOf(folder, text ?? '', fieldsOf(manifest))],
    commands: [
      // Compiles the tests but runs none: the verification reports compile errors.
      ...command('setup', `cargo fetch${locked} && { ${test} --no-run || true; }`),
      ...(isTested ? command('test', isOne ? test : `${test} || ${eachCrate(test, features, locked)}`) : []),
    ],
    apart: testedApart(folder, fieldsOf(manifest), ofCi),
    techStack: ['Rust'],
    notes: manifest === null ? [unreadable(folder, FILE, 'TOML')] : [],
  }
}

/** The file without an extension is a single word, or TOML. */
function toolchainOf(folder: Folder): ToolClaim[] {
  const file = ['rust-toolchain.toml', 'rust-toolchain'].find((name) => folder.has(name))
  const text = file === undefined ? null : folder.text(file)
  if (file === undefined || text === null) return []
  const channel = textOf(fieldsOf(fieldsOf(readToml(text))['toolchain'])['channel'])
  if (channel !== null) return toolClaim('rust', channel, place(folder, file, tomlLine(text, ['toolchain', 'channel'])))
  const word = linesOf(text.trim())
  return word.length === 1 && /^[\w.-]+$/.test(word[0] ?? '')
    ? toolClaim('rust', word[0] ?? null, place(folder, file, 1))
    : []
}

function leastOf(folder: Folder, text: string, manifest: Record<string, unknown>): ToolClaim[] {
  for (const path of [['package'], ['workspace', 'package']]) {
    const table = path.reduce((fields, key) => fieldsOf(fields[key]), manifest)
    const version = textOf(table['rust-version'])
    if (version === null) continue
    return toolClaim('rust', version, place(folder, FILE, tomlLine(text, [...path, 'rust-version'])), { least: true })
  }
  return toolClaim('rust', null, place(folder, FILE))
}
