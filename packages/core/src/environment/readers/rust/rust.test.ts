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

describe('features beside those of the usual tests:', () => {
  const ci = (steps: string, job = '') => `jobs:\n  test:\n${job}    steps:\n${steps}`
  const WITH = {
    '.github/workflows/ci.yml': ci('      - run: cargo test --verbose --features "${{ matrix.features }}"\n'),
  }
  const tested = (manifest: string, more: Record<string, string> = {}) => of({ 'Cargo.toml': manifest, ...more }).test

  test('are those that files of tests require, but for the nightly compiler', () => {
    const target = (name: string, features: string) => `[[test]]\nname = "${name}"\nrequired-features = ${features}\n`
    const features = '[package]\nname = "x"\n[features]\nfull = []\nmore = []\nnightly = []\nunstable-x = []\n'
    expect(tested(features + target('a', '["full"]') + target('b', '["full", "more"]'))).toBe(
      `${TEST} --features full,more`,
    )
    expect(tested(features + target('a', '["more", "nightly"]') + target('b', '["unstable-x"]'))).toBe(TEST)
    expect(tested(features + target('a', '["unknown"]'))).toBe(TEST)
    expect(tested(`${features}[[example]]\nname = "a"\nrequired-features = ["full"]\n`)).toBe(TEST)
  })

  const matrix = (rows: string) => `    strategy:\n      matrix:\n${rows}`
  test.each([
    ['full', 'cargo test --features full', ''],
    ['full,a', "cargo test -F 'full a'", ''],
    ['full', 'cargo test ${{ matrix.features }}', matrix('        features: ["", "--features full"]\n')],
    ['std,full', 'cargo test --features "${{ matrix.f }}"', matrix('        f: [std, full]\n')],
    [
      'full',
      'cargo test ${{ matrix.features }}',
      matrix(
        '        rust: [stable, nightly]\n        include:\n' +
          '          - { rust: stable, features: "--features full" }\n' +
          '          - { rust: nightly, features: "--features full,std" }\n',
      ),
    ],
    [
      'full',
      'cargo test --features ${{ matrix.set.features }}',
      matrix('        set: [{ name: x, features: full }]\n'),
    ],
  ])('are %s, as the CI says them in %j', (features, run, job) => {
    const workflow = ci(`      - run: ${JSON.stringify(run)}\n`, job)
    const manifest = `${PACKAGE}a = []\n`
    expect(tested(manifest, { '.github/workflows/ci.yml': workflow })).toBe(`${TEST} --features ${features}`)
  })

  test('are none if the CI names unknown ones, or has no values', () => {
    expect(tested(PACKAGE, WITH)).toBe(TEST)
    const unknown = ci('      - run: cargo test --features other,full/x\n')
    expect(tested(PACKAGE, { '.github/workflows/ci.yml': unknown })).toBe(TEST)
  })

  test('are those of one line if some cannot be compiled together', () => {
    const workflow = {
      '.github/workflows/ci.yml': ci(
        '      - run: cargo test --features std\n      - run: cargo test --features full,b\n',
      ),
    }
    const all = PACKAGE + MORE
    expect(tested(all, workflow)).toBe(`${TEST} --features std,full,b`)
    expect(tested(`# full and std are mutually exclusive\n${all}`, workflow)).toBe(`${TEST} --features full,b`)
    const code = (condition: string) => ({ 'src/lib.rs': `#[cfg(${condition})]\ncompile_error!("no");\n` })
    const both = 'all(feature = "full", feature = "std")'
    expect(tested(all, { ...workflow, ...code(both) })).toBe(`${TEST} --features full,b`)
    const none = 'not(any(feature = "full", feature = "std"))'
    expect(tested(all, { ...workflow, ...code(none) })).toBe(`${TEST} --features std,full,b`)
    const hack = { '.github/workflows/ci.yml': ci('      - run: cargo hack test --feature-powerset --depth 2\n') }
    expect(tested(all, hack)).toBe(`${TEST} --all-features`)
    expect(tested(all, { ...hack, ...code(both) })).toBe(TEST)
  })

  test('of a workspace have the names of their packages, and each package has its own', () => {
    const member = (name: string) =>
      `[package]\nname = "${name}"\n[features]\nfull = []\n${name} = []\n[[test]]\nname = "t"\nrequired-features = ["full"]\n`
    const files = { 'a/Cargo.toml': member('a'), 'b/Cargo.toml': member('b') }
    const workspace = '[workspace]\nmembers = ["*"]\n'
    const command = tested(workspace, files)!
    expect(command).toMatch(`${TEST} --features a/full,b/full || { ${TEST} --features a/full,b/full --no-run`)
    expect(command).toContain(
      `case "$crate" in a) with='--features a/full';; b) with='--features b/full';; esac; cargo`,
    )
    expect(command).toContain('cargo test --no-fail-fast $with --package "$crate"')
    expect(chosenTests({ command, tool: 'cargo-test', files: ['a/tests/t.rs'] })).toBe(
      `${TEST} --features a/full,b/full --test t`,
    )
    const root = tested(`${workspace}[package]\nname = "x"\n[features]\nown = []\n`, {
      ...files,
      '.github/workflows/ci.yml': ci('      - run: cargo test --workspace --features own,b/b\n'),
    })
    expect(root).toMatch(`${TEST} --features own,a/full,b/full,b/b ||`)
    const hack = { '.github/workflows/ci.yml': ci('      - run: cargo hack test --feature-powerset --workspace\n') }
    expect(tested(workspace, { ...files, ...hack })).toMatch(`${TEST} --all-features ||`)
  })

  test.each([
    ['its folder', '      - run: cargo test --all-features\n        working-directory: rust\n', ''],
    [
      'the folder of its job',
      '      - run: cargo test --all-features\n',
      '    defaults: { run: { working-directory: ./rust } }\n',
    ],
    ['the folder that it goes into', '      - run: cd rust && cargo test --all-features\n', ''],
    ['its script', '      - run: |\n          cd rust\n          cargo test --all-features\n', ''],
    ['its manifest', '      - run: cargo test --manifest-path rust/Cargo.toml --all-features\n', ''],
  ])('of a crate in a folder, by %s', (_, steps, job) => {
    const command = (own: string) =>
      of({ 'rust/Cargo.toml': '[package]\nname = "x"\n', '.github/workflows/ci.yml': ci(own, job) }).test
    expect(command(steps)).toBe(`( cd rust && ${TEST} --all-features )`)
    expect(of({ 'rest/Cargo.toml': '[package]\nname = "x"\n', '.github/workflows/ci.yml': ci(steps, job) }).test).toBe(
      `( cd rest && ${TEST} )`,
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
