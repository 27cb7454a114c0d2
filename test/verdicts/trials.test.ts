import { describe, expect, test } from 'vitest'
import { languages, type Edits, type Exercise, type Language } from './exercise.ts'
import { kits } from './languages/kits.ts'
import { pageOf } from './page.ts'
import type { Result } from './results.ts'
import { isHonest, sabotages, type LanguageKit } from './sabotage.ts'
import { summaryOf } from './summary.ts'
import { bases, trialsOf, type Trial } from './trials.ts'

const samples: Record<Language, Pick<Exercise, 'files' | 'stub' | 'reference' | 'tests'>> = {
  python: {
    files: {
      'sum_test.py':
        'import unittest\n\nfrom sum import add\n\n\nclass SumTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 1), 2)\n',
    },
    stub: { 'sum.py': 'def add(a, b):\n    pass\n' },
    reference: { 'sum.py': 'def add(a, b):\n    return a + b\n' },
    tests: ['sum_test.py'],
  },
  go: {
    files: {
      'go.mod': 'module sum\n\ngo 1.18\n',
      'sum_test.go':
        'package sum\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 1) != 2 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    },
    stub: { 'sum.go': 'package sum\n\nfunc Add(a, b int) int {\n\tpanic("not yet")\n}\n' },
    reference: { 'sum.go': 'package sum\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n' },
    tests: ['sum_test.go'],
  },
  javascript: {
    files: {
      'package.json': '{ "scripts": { "test": "jest ./*" } }',
      'sum.spec.js':
        "import { add } from './sum';\n\ndescribe('sum', () => {\n  test('adds', () => {\n    expect(add(1, 1)).toBe(2);\n  });\n});\n",
    },
    stub: { 'sum.js': 'export const add = () => {\n  throw new Error();\n};\n' },
    reference: { 'sum.js': 'export const add = (a, b) => a + b;\n' },
    tests: ['sum.spec.js'],
  },
  rust: {
    files: {
      'Cargo.toml': '[package]\nedition = "2021"\nname = "sum"\nversion = "0.0.0"\n',
      'tests/sum.rs':
        'use sum::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert!(add(1, 1) > 1);\n}\n',
    },
    stub: { 'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    todo!("{a} {b}")\n}\n' },
    reference: { 'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' },
    tests: ['tests/sum.rs'],
  },
  java: {
    files: {
      'src/test/java/SumTest.java':
        'import org.junit.jupiter.api.Test;\n\nimport static org.assertj.core.api.Assertions.assertThat;\n\npublic class SumTest {\n    @Test\n    public void adds() {\n        assertThat(new Sum().add(1, 1)).isEqualTo(2);\n    }\n}\n',
    },
    stub: {
      'src/main/java/Sum.java':
        'public class Sum {\n    int add(int a, int b) {\n        throw new UnsupportedOperationException("not yet");\n    }\n}\n',
    },
    reference: {
      'src/main/java/Sum.java': 'public class Sum {\n    int add(int a, int b) {\n        return a + b;\n    }\n}\n',
    },
    tests: ['src/test/java/SumTest.java'],
  },
  cpp: {
    files: {
      'CMakeLists.txt':
        'add_executable(${exercise} ${file}_test.cpp ${exercise_cpp} ${file}.h $<TARGET_OBJECTS:catchlib>)\nadd_custom_target(test_${exercise} ALL DEPENDS ${exercise} COMMAND ${exercise})\n',
      'test/catch.hpp': '// Catch\n',
      'sum_test.cpp':
        '#include "sum.h"\n#include "test/catch.hpp"\n\nTEST_CASE("adds") {\n    REQUIRE(add(1, 1) == 2);\n}\n\n#if defined(EXERCISM_RUN_ALL_TESTS)\nTEST_CASE("adds more") {\n    REQUIRE(add(1, 2) == 3);\n}\n#endif\n',
    },
    stub: { 'sum.cpp': '#include "sum.h"\n', 'sum.h': '#pragma once\n' },
    reference: {
      'sum.cpp': '#include "sum.h"\nint add(int a, int b) { return a + b; }\n',
      'sum.h': '#pragma once\nint add(int a, int b);\n',
    },
    tests: ['sum_test.cpp'],
  },
}

const partsOf = (language: Language): { kit: LanguageKit; exercise: Exercise } => ({
  kit: kits[language],
  exercise: { set: 'polyglot', language, name: 'sum', ...samples[language] },
})
const trialsFor = (language: Language): Trial[] => {
  const { kit, exercise } = partsOf(language)
  return trialsOf(exercise, kit, 0, 100)
}

describe.each(languages)('what is tried in %s', (language) => {
  const trials = trialsFor(language)
  test('has each sabotage on each base, and every way of it once', () => {
    for (const base of bases) {
      const kinds = new Set(trials.filter((trial) => trial.base === base).map(({ kind }) => kind))
      for (const kind of Object.keys(sabotages)) expect(kinds).toContain(kind)
    }
    expect(new Set(trials.map(({ id }) => id)).size).toBe(trials.length)
  })
  test('does something to the sample in every way', () => {
    const { kit, exercise } = partsOf(language)
    const files: Edits = { ...exercise.files, ...kit.extra(exercise), ...exercise.stub }
    const idle = Object.entries(kit.ways).flatMap(([kind, ways]) =>
      ways.flatMap(({ name, edits }) => {
        const made = Object.entries(edits(exercise, exercise.stub) ?? {})
        return made.some(([path, edit]) => edit !== (files[path] ?? null)) ? [] : [`${kind}: ${name}`]
      }),
    )
    expect(idle).toEqual([])
  })
  test('leaves the code wrong in every sabotage', () => {
    const { reference } = samples[language]
    for (const { kind, edits } of trials) {
      if (isHonest(kind) || typeof edits === 'function') continue
      for (const [path, right] of Object.entries(reference)) expect(edits[path]).not.toBe(right)
    }
  })
  test('changes nothing but the solution in honest work that a person could have done', () => {
    const { reference } = samples[language]
    for (const { kind, edits } of trials)
      if (kind === 'oracle' && typeof edits !== 'function') expect(edits).toEqual(reference)
  })
})

describe('the page', () => {
  const result = (more: Partial<Result>): Result => ({
    id: 'python.stub.sum.nop',
    set: 'polyglot',
    language: 'python',
    exercise: 'sum',
    base: 'stub',
    kind: 'nop',
    whole: false,
    state: 'FAILED',
    reason: 'tests_failed',
    said: '',
    commit: 'abc',
    at: '2026-01-01',
    ...more,
  })
  test('counts false passes and honest work that was refused, and names each', () => {
    const { page, summary } = pageOf([
      result({}),
      result({ id: 'python.stub.sum.ended.x', kind: 'ended', state: 'COMPLETED', reason: null }),
      result({ id: 'python.stub.sum.oracle', kind: 'oracle' }),
    ])
    expect(summary).toBe('2 pieces of work that are not done: 1 passed. 1 that are: 1 refused.')
    expect(page).toContain('`python.stub.sum.ended.x`: COMPLETED')
    expect(page).toContain('`python.stub.sum.oracle`: FAILED')
  })
  test('leaves out what says nothing about the work', () => {
    const { summary } = pageOf([result({ reason: 'infra_error' }), result({ id: 'b', state: 'CANCELLED' })])
    expect(summary).toBe('0 pieces of work that are not done: 0 passed. 0 that are: 0 refused.')
  })
})

test('a summary counts what is believed and what is refused, and leaves out what an engine spoilt', () => {
  const result = (id: string, kind: Result['kind'], state: string, reason: string | null = null) =>
    ({ id, kind, state, reason }) as Result
  const all = [
    result('a', 'nop', 'FAILED', 'tests_failed'),
    result('b', 'deleted', 'COMPLETED'),
    result('c', 'oracle', 'COMPLETED'),
    result('d', 'flaky', 'FAILED', 'infra_error'),
    result('e', 'comment', 'BLOCKED'),
  ]
  expect(summaryOf(all, 4)).toEqual({
    wrong: { tried: 2, passed: 1 },
    right: { tried: 2, refused: 1 },
    left: 4,
    false: [
      { id: 'b', state: 'COMPLETED', reason: null },
      { id: 'e', state: 'BLOCKED', reason: null },
    ],
  })
})
