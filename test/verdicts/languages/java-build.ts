import type { Exercise } from '../exercise.ts'

/* Maven's files for the exercises, which come without them. */

const head = '<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>'
const dependency = (group: string, artifact: string, version: string, scope: 'compile' | 'test'): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version><scope>${scope}</scope></dependency>`
const plugin = (artifact: string, version: string): string =>
  `<plugin><artifactId>${artifact}</artifactId><version>${version}</version></plugin>`

export const usesJUnit4 = ({ files, tests }: Pick<Exercise, 'files' | 'tests'>): boolean =>
  tests.some((path) => /org\.junit\.(?:Test|Assert)\b/.test(files[path] ?? ''))

/** The `pom.xml` of an exercise; `more` goes into its `project`. */
export const pomOf = (name: string, more = ''): string =>
  `${head}\n  <parent><groupId>exercises</groupId><artifactId>exercises</artifactId><version>1</version></parent>\n  <artifactId>${name}</artifactId>\n${more}</project>\n`

export function rootOf(exercises: readonly Exercise[]): Record<string, string> {
  // The solutions of two exercises use the last two.
  const dependencies = exercises.some(usesJUnit4)
    ? [dependency('junit', 'junit', '4.13.2', 'test')]
    : [
        dependency('org.junit.jupiter', 'junit-jupiter', '5.10.0', 'test'),
        dependency('org.assertj', 'assertj-core', '3.25.1', 'test'),
        dependency('io.reactivex.rxjava2', 'rxjava', '2.2.12', 'compile'),
        dependency('org.json', 'json', '20190722', 'compile'),
      ]
  const start = exercises.some(usesJUnit4)
    ? 'import org.junit.Test;\n\npublic class StartTest {\n    @Test public void starts() {}\n}\n'
    : 'import org.junit.jupiter.api.Test;\n\nclass StartTest {\n    @Test void starts() {}\n}\n'
  return {
    '.gitignore': 'target/\n',
    '.mvn/jvm.config': '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC\n',
    'pom.xml': [
      head,
      '  <groupId>exercises</groupId><artifactId>exercises</artifactId><version>1</version><packaging>pom</packaging>',
      `  <modules>${['start', ...exercises.map(({ name }) => name)].map((name) => `<module>${name}</module>`).join('')}</modules>`,
      '  <properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>',
      `  <dependencies>${dependencies.join('')}</dependencies>`,
      `  <build><plugins>${plugin('maven-compiler-plugin', '3.13.0')}${plugin('maven-surefire-plugin', '3.2.5')}${plugin('maven-resources-plugin', '3.3.1')}</plugins></build>`,
      '</project>',
      '',
    ].join('\n'),
    'start/pom.xml': pomOf('start'),
    'start/src/main/java/Start.java': 'class Start {}\n',
    'start/src/test/java/StartTest.java': start,
  }
}
