import { describe, expect, test } from 'vitest'
import { filesOf } from '../../../testing/sample-repository.ts'
import { chosenTests } from '../../../execution/choose-tests.ts'
import { detected } from '../../commands/detected.ts'
import { look } from '../../look.ts'

const of = (files: Record<string, string>) => detected(look(filesOf(files)))
const TEST = 'cargo test --workspace --no-fail-fast'
const PACKAGE = '[package]\nname = "x"\n[features]\ndefault = ["std"]\nstd = []\nfull = ["dep:a"]\n'
const MORE = '[dependencies]\na = { version = "1", optional = true }\nb = { version = "1", optional = true }\n'

describe('features are those that the CI tests with:', () => {
  const step = (run: string, more = '') => `      - run: ${run}\n${more}`
  const jobs = (steps: string, job = '') => `jobs:\n  test:\n${job}    steps:\n${steps}`
  const tested = (workflow: string, manifest = PACKAGE + MORE) =>
    of({ 'Cargo.toml': manifest, '.github/workflows/ci.yml': workflow }).test

  test.each([
    ['all', step('cargo test') + step('cargo test --all-features')],
    ['all, for the target that runs here', step('cargo nextest run --target ${{ matrix.target }} --all-features')],
    [
      'all, in a script of several lines',
      '      - run: |\n          cargo build\n          cargo test \\\n            --all-features\n',
    ],
    [
      'all, but for the compiler of the night',
      step('cargo test --all-features', "        if: matrix.rust != 'nightly'\n"),
    ],
    ['each', step('cargo hack test --feature-powerset')],
  ])('%s', (_, steps) => {
    expect(tested(jobs(steps))).toBe(`${TEST} --all-features`)
  })

  test.each([
    ['are of one package', step('cargo test -p a --all-features')],
    ['are of another folder', step('cargo test --all-features', '        working-directory: sub\n')],
    ['are for another machine', step('cargo test --target wasm32-unknown-unknown --all-features')],
    ['are built only', step('cargo build --all-features')],
    ['need a compiler of the night', step('cargo test --all-features', "        if: matrix.rust == 'nightly'\n")],
    ['depend on the workflow', step('cargo test --features ${{ matrix.features }} --all-features')],
  ])('the usual ones, if others %s', (_, steps) => {
    expect(tested(jobs(steps))).toBe(TEST)
  })

  test('the usual ones, if the job, or a feature by its name, is for the nightly compiler', () => {
    const all = step('cargo test --all-features')
    expect(tested(jobs(`      - uses: dtolnay/rust-toolchain@nightly\n${all}`))).toBe(TEST)
    expect(tested(jobs(all, '    strategy: { matrix: { rust: [stable, nightly] } }\n'))).toContain('--all-features')
    expect(tested(jobs(all), `${PACKAGE}nightly = []\n`)).toBe(TEST)
  })

  test('without excluded ones, and a choice of tests keeps them', () => {
    const command = tested(jobs(step('cargo hack test --each-feature --exclude-features full,unknown')))
    expect(command).toBe(`${TEST} --features std,b`)
    expect(chosenTests({ command: command!, tool: 'cargo-test', files: ['tests/a.rs'] })).toBe(`${command} --test a`)
    const workspace = of({
      'Cargo.toml': '[workspace]\nmembers = ["a"]\n',
      '.github/workflows/ci.yml': jobs(step('cargo test --all-features')),
    }).test!
    expect(chosenTests({ command: workspace, tool: 'cargo-test', files: ['a/tests/b.rs'] })).toBe(
      `${TEST} --all-features --test b`,
    )
  })
})

test('a crate that is only a library for Python has no tests of its own, unless it has a folder of them', () => {
  const manifest = '[package]\n[lib]\ncrate-type = ["cdylib"]\n[dependencies]\npyo3 = "0.27"\n'
  const files = { 'pyproject.toml': '[project]\nname = "x"\n', 'tests/test_x.py': '' }
  const nested = (more: Record<string, string>) => of({ ...files, 'rust/Cargo.toml': manifest, ...more }).nested
  expect(nested({})).toEqual([])
  expect(nested({ 'rust/Cargo.toml': manifest.replace('"cdylib"', '"cdylib", "rlib"') })).toHaveLength(1)
  expect(nested({ 'rust/tests/a.rs': '' })).toHaveLength(1)
})

describe('a crate outside of any workspace is tested by itself if the CI does so:', () => {
  const ci = (steps: string) => `jobs:\n  test:\n    steps:\n${steps}`
  const inFolder = ci('      - run: cargo test\n        working-directory: ./core/levels\n')
  const nested = (workflow: string, own = '[workspace]\n[package]\n', root = '[workspace]\nmembers = ["core"]\n') =>
    of({
      'Cargo.toml': root,
      'core/Cargo.toml': '[package]\n',
      'core/levels/Cargo.toml': own,
      '.github/workflows/ci.yml': workflow,
    }).nested.map(({ folder }) => folder)

  test('in its folder, or by its manifest', () => {
    expect(nested(inFolder)).toEqual(['core/levels'])
    expect(nested(ci('      - run: cargo test --manifest-path core/levels/Cargo.toml\n'))).toEqual(['core/levels'])
  })

  test('if the root leaves it out, or has no workspace', () => {
    expect(nested(inFolder, '[package]\n')).toEqual([])
    expect(nested(inFolder, '[package]\n', '[workspace]\nexclude = ["core/levels"]\n')).toEqual(['core/levels'])
    expect(nested(inFolder, '[package]\n', '[package]\nname = "x"\n')).toEqual(['core/levels'])
  })

  test('but not if it is only built, or fuzzed', () => {
    expect(nested(ci('      - run: cargo build --manifest-path core/levels/Cargo.toml\n'))).toEqual([])
    expect(nested(ci('      - run: cargo fuzz check\n        working-directory: core/levels\n'))).toEqual([])
  })
})
