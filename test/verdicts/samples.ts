import type { Exercise, Language } from './exercise.ts'
import { kits } from './languages/kits.ts'
import type { LanguageKit } from './sabotage.ts'
import { trialsOf, type Trial } from './trials.ts'

/* A small exercise of each language to which every way can be applied. */

export const samples: Record<Language, Pick<Exercise, 'files' | 'stub' | 'reference' | 'tests'>> = {
  python: {
    files: {
      'sum_test.py':
        'import unittest\n\nfrom sum import add\n\n\nclass SumTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 1), 2)\n\n    def test_two(self):\n        self.assertEqual(add(2, 2), 4)\n\n    def test_three(self):\n        self.assertEqual(add(3, 3), 6)\n',
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
        "import { add } from './sum';\n\ndescribe('sum', () => {\n  test('adds', () => {\n    expect(add(1, 1)).toBe(2);\n  });\n  test('two', () => {\n    expect(add(2, 2)).toBe(4);\n  });\n  test('three', () => {\n    expect(add(3, 3)).toBe(6);\n  });\n});\n",
    },
    stub: { 'sum.js': 'export const add = () => {\n  throw new Error();\n};\n' },
    reference: { 'sum.js': 'export const add = (a, b) => a + b;\n' },
    tests: ['sum.spec.js'],
  },
  rust: {
    files: {
      'Cargo.toml': '[package]\nedition = "2021"\nname = "sum"\nversion = "0.0.0"\n',
      'tests/sum.rs':
        'use sum::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert!(add(1, 1) > 1);\n}\n\n#[test]\nfn two() {\n    assert_eq!(add(2, 2), 4);\n}\n\n#[test]\nfn three() {\n    assert_eq!(add(3, 3), 6);\n}\n',
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

export const partsOf = (language: Language): { kit: LanguageKit; exercise: Exercise } => ({
  kit: kits[language],
  exercise: { set: 'polyglot', language, name: 'sum', ...samples[language] },
})
/** Every way on each base. */
export const trialsFor = (language: Language): Trial[] => {
  const { kit, exercise } = partsOf(language)
  return trialsOf(exercise, kit, 0, 100)
}
