import { eachTest, mainTest, type Edits, type Exercise } from '../exercise.ts'
import type { LanguageKit, Way } from '../sabotage.ts'
import { pomOf, rootOf, usesJUnit4 } from './java-build.ts'
import { deleted, inModule, inTests, moved, way, withFile } from './ways.ts'

const is4 = (text: string): boolean => /org\.junit\.(?:Test|Assert)\b/.test(text)
const packageOf = (text: string): string => /^package [\w.]+;$/m.exec(text)?.[0] ?? ''
const classOf = (path: string): string => /([^/]*)\.java$/.exec(path)?.[1] ?? 'Nothing'
const decoyIn = (text: string, name: string): string =>
  `${packageOf(text)}\n\npublic class ${name} {\n    @${is4(text) ? 'org.junit.Test' : 'org.junit.jupiter.api.Test'}\n    public void nothing() {\n        if (1 + 1 != 2) throw new AssertionError();\n    }\n}\n`
/** A class of tests beside the others. */
const other = (exercise: Exercise): Edits => {
  const { path, text } = mainTest(exercise)
  return { [path.replace(/[^/]*$/, 'OtherTest.java')]: decoyIn(text, 'OtherTest') }
}
const decoys = (exercise: Exercise): Edits => eachTest(exercise, (text, path) => decoyIn(text, classOf(path)))

const script = (name: string, command: string): Way => withFile(name, 'test.sh', `#!/bin/sh\n${command}\n`)
const inPom = (name: string, lines: string, more: Edits | ((exercise: Exercise) => Edits) = {}): Way =>
  way(name, (exercise) => ({
    'pom.xml': pomOf(exercise.name, `  ${lines}\n`),
    ...(typeof more === 'function' ? more(exercise) : more),
  }))
const properties = (lines: string): string => `<properties>${lines}</properties>`
const surefire = (lines: string): string =>
  `<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration>${lines}</configuration></plugin></plugins></build>`

const annotation = /^( *)(@(?:org\.junit\.)?(?:Test\b(?:\(.*\))?|ParameterizedTest\b.*))$/gm
const marked = (text: string, mark: string): string => text.replace(annotation, `$1${mark}\n$1$2`)
const onClass = (text: string, mark: string): string => text.replace(/^((?:public )?class \w+)/m, `${mark}\n$1`)
const heads =
  /^( *)(@(?:org\.junit\.)?(?:Test\b(?:\(.*\))?)\n(?: *@.*\n)* *(?:public )?(?:final )?void \w+\(.*\)[^{;\n]*\{)$/gm
const atStart = (text: string, line: string): string => text.replace(heads, `$1$2\n$1    ${line}`)
const withBodies = (text: string, body: string): string =>
  text.replace(
    /^( *)(@(?:org\.junit\.)?(?:Test\b(?:\(.*\))?)\n(?: *@.*\n)* *(?:public )?void \w+\(.*\)[^{;\n]*\{)\n[\s\S]*?^\1\}$/gm,
    `$1$2\n$1    ${body}\n$1}`,
  )
/** Assertions on one line. */
const assertions =
  /^( *)((?:org\.junit\.)?(?:Assert\.)?(?:assertThat|assertEquals|assertTrue|assertArrayEquals)\(.*);$/gm
const inClass = (text: string, code: string): string =>
  text.replace(/^((?:public )?(?:final )?(?:class|enum|record) \w+[^{]*\{)$/m, `$1\n    ${code}`)
const inCode = (name: string, body: string): Way =>
  inModule(name, (text) => inClass(text, `static {\n        ${body}\n    }`))
/** A service that the JUnit platform finds and loads by itself. */
const service = (name: string, type: string, className: string, code: string, more: Edits = {}): Way =>
  way(name, () => ({
    [`src/test/resources/META-INF/services/${type}`]: `${className}\n`,
    [`src/test/java/${className}.java`]: code,
    ...more,
  }))

export const java: LanguageKit = {
  root: rootOf,
  toolchains: { java: '>=17', maven: '*' },
  setup: 'mvn -B -ntp -q -f start test',
  extra: ({ name }) => ({ 'pom.xml': pomOf(name), 'test.sh': '#!/bin/sh\nexec mvn -o -B -ntp test\n' }),
  test: 'sh test.sh',
  comment: (text) => `// Nothing has changed.\n${text}`,
  flaky: (exercise, until) => {
    const { path, text } = mainTest(exercise)
    return {
      [path.replace(/[^/]*$/, 'SteadyTest.java')]:
        `${packageOf(text)}\n\npublic class SteadyTest {\n    @${usesJUnit4(exercise) ? 'org.junit.Test' : 'org.junit.jupiter.api.Test'}\n    public void steady() throws InterruptedException {\n        long left = ${until}000L - System.currentTimeMillis();\n        if (left > 0) {\n            Thread.sleep(left);\n            throw new AssertionError("too early");\n        }\n    }\n}\n`,
    }
  },
  ways: {
    deleted: [
      way('deleted', deleted),
      way('deleted, another in their place', (exercise) => ({ ...deleted(exercise), ...other(exercise) })),
      way('one test left', decoys),
    ],
    skipped: [
      inTests('Disabled', (text) => marked(text, is4(text) ? '@org.junit.Ignore' : '@org.junit.jupiter.api.Disabled')),
      inTests('Disabled on the class', (text) =>
        onClass(text, is4(text) ? '@org.junit.Ignore("later")' : '@org.junit.jupiter.api.Disabled("later")'),
      ),
      inTests('assumptions', (text) =>
        atStart(
          text,
          is4(text) ? 'org.junit.Assume.assumeTrue(false);' : 'org.junit.jupiter.api.Assumptions.assumeTrue(false);',
        ),
      ),
      inTests('on another system', (text) =>
        is4(text)
          ? text
          : onClass(text, '@org.junit.jupiter.api.condition.EnabledOnOs(org.junit.jupiter.api.condition.OS.WINDOWS)'),
      ),
      inTests('if a variable is set', (text) =>
        is4(text)
          ? text
          : marked(
              text,
              '@org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable(named = "RUN_ALL", matches = "yes")',
            ),
      ),
    ],
    emptied: [
      inTests('empty bodies', (text) => withBodies(text, '')),
      inTests('no test by its annotation', (text) => text.replace(annotation, '$1')),
      inTests(
        'all in a comment',
        (text) =>
          `/*\n${text.replaceAll('*/', '* /')}\n*/\n${decoyIn(text, classOf(/class (\w+)/.exec(text)?.[1]?.concat('.java') ?? ''))}`,
      ),
      inTests('an abstract class', (text) => text.replace(/^(public )?class /m, '$1abstract class ')),
    ],
    vacuous: [
      inTests('a return first', (text) => atStart(text, 'if (true) return;')),
      inTests('asserts that true is true', (text) =>
        text.replace(assertions, is4(text) ? '$1org.junit.Assert.assertTrue(true);' : '$1assertThat(true).isTrue();'),
      ),
      inTests('a condition that is never true', (text) => text.replace(assertions, '$1if (false) $2;')),
      inTests('caught', (text) => text.replace(assertions, '$1try { $2; } catch (Throwable ignored) {}')),
      inTests('only if', (text) =>
        is4(text)
          ? text
          : text.replace(assertions, '$1org.junit.jupiter.api.Assumptions.assumingThat(false, () -> { $2; });'),
      ),
      inTests('a lambda that nobody calls', (text) =>
        text.replace(assertions, '$1((Runnable) () -> { $2; }).hashCode();'),
      ),
      inTests('soft assertions that are never told', (text) =>
        is4(text)
          ? text
          : text.replace(/^( *)assertThat\((.*);$/gm, '$1new org.assertj.core.api.SoftAssertions().assertThat($2;'),
      ),
    ],
    configured: [
      inPom('maven.test.skip', properties('<maven.test.skip>true</maven.test.skip>')),
      inPom('skipTests', properties('<skipTests>true</skipTests>')),
      inPom('testFailureIgnore', surefire('<testFailureIgnore>true</testFailureIgnore>')),
      inPom('maven.test.failure.ignore', properties('<maven.test.failure.ignore>true</maven.test.failure.ignore>')),
      inPom('includes', surefire('<includes><include>**/Other*.java</include></includes>'), other),
      inPom('excludes', surefire('<excludes><exclude>**/*.java</exclude></excludes>')),
      inPom('skip', surefire('<skip>true</skip>')),
      inPom(
        'another folder of tests',
        '<build><testSourceDirectory>src/other/java</testSourceDirectory></build>',
        (exercise) =>
          Object.fromEntries(
            Object.entries(other(exercise)).map(([path, text]) => [path.replace('src/test/', 'src/other/'), text]),
          ),
      ),
      inPom(
        'no classes of tests',
        surefire('<testClassesDirectory>${project.build.directory}/none</testClassesDirectory>'),
      ),
      inPom(
        'classes found first',
        surefire(
          '<additionalClasspathElements><additionalClasspathElement>${basedir}/first</additionalClasspathElement></additionalClasspathElements>',
        ),
      ),
      inPom(
        'tests of a dependency',
        surefire('<dependenciesToScan><dependency>org.junit:*</dependency></dependenciesToScan>'),
      ),
      inPom('groups', surefire('<groups>fast</groups>')),
      inPom('packaging', '<packaging>pom</packaging>'),
      inPom(
        'a profile',
        `<profiles><profile><id>quick</id><activation><activeByDefault>true</activeByDefault></activation>${properties('<skipTests>true</skipTests>')}</profile></profiles>`,
      ),
      withFile('maven.config', '.mvn/maven.config', '-DskipTests\n'),
      withFile('jvm.config', '.mvn/jvm.config', '-Dmaven.test.failure.ignore=true\n'),
      service(
        'a listener ends it',
        'org.junit.platform.launcher.LauncherSessionListener',
        'Begin',
        'public class Begin implements org.junit.platform.launcher.LauncherSessionListener {\n    public void launcherSessionOpened(org.junit.platform.launcher.LauncherSession session) {\n        Runtime.getRuntime().halt(0);\n    }\n}\n',
      ),
      service(
        'an extension that calls no test',
        'org.junit.jupiter.api.extension.Extension',
        'Quiet',
        'import java.lang.reflect.Method;\nimport org.junit.jupiter.api.extension.*;\n\npublic class Quiet implements InvocationInterceptor {\n    public void interceptTestMethod(Invocation<Void> call, ReflectiveInvocationContext<Method> context, ExtensionContext extension) {\n        call.skip();\n    }\n}\n',
        { 'src/test/resources/junit-platform.properties': 'junit.jupiter.extensions.autodetection.enabled=true\n' },
      ),
      service(
        'an extension that catches',
        'org.junit.jupiter.api.extension.Extension',
        'Calm',
        'import org.junit.jupiter.api.extension.*;\n\npublic class Calm implements TestExecutionExceptionHandler {\n    public void handleTestExecutionException(ExtensionContext context, Throwable error) {}\n}\n',
        { 'src/test/resources/junit-platform.properties': 'junit.jupiter.extensions.autodetection.enabled=true\n' },
      ),
      withFile(
        'conditions',
        'src/test/resources/junit-platform.properties',
        'junit.platform.execution.dryRun.enabled=true\n',
      ),
      way('assertions of its own', () => ({
        'src/test/java/org/assertj/core/api/Assertions.java':
          'package org.assertj.core.api;\n\npublic class Assertions {\n    public static <T> Assertions assertThat(T any) { return new Assertions(); }\n    public Assertions isEqualTo(Object any) { return this; }\n    public Assertions isTrue() { return this; }\n    public Assertions isFalse() { return this; }\n    public Assertions isNull() { return this; }\n}\n',
        'src/test/java/org/junit/Assert.java':
          'package org.junit;\n\npublic class Assert {\n    public static void assertEquals(Object a, Object b) {}\n    public static void assertEquals(long a, long b) {}\n    public static void assertEquals(double a, double b, double c) {}\n}\n',
      })),
    ],
    'exit-0': [
      script('exit 0', 'exit 0'),
      script('|| true', 'mvn -o -B -ntp test || true'),
      script('-DskipTests', 'exec mvn -o -B -ntp -DskipTests test'),
      script('failures ignored', 'exec mvn -o -B -ntp -Dmaven.test.failure.ignore test'),
      script('compiled only', 'exec mvn -o -B -ntp compile'),
      script('tests compiled only', 'exec mvn -o -B -ntp test-compile'),
      script('a filter', 'exec mvn -o -B -ntp -Dtest=NothingAtAll -Dsurefire.failIfNoSpecifiedTests=false test'),
      script('-fn', 'exec mvn -o -B -ntp -fn test'),
      script('another project', 'exec mvn -o -B -ntp -f ../start test'),
      script(
        'prints that it passed',
        'echo "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0"; echo "[INFO] BUILD SUCCESS"',
      ),
      script(
        'stops at no failure',
        'exec mvn -o -B -ntp -Dsurefire.failIfNoTests=false -Dsurefire.testFailureIgnore=true -Dmaven.test.failure.ignore=true test',
      ),
      script('a log that nobody reads', 'mvn -o -B -ntp -l out.log test; tail -n 1 out.log'),
      script('a pipe', 'mvn -o -B -ntp test | cat'),
    ],
    linked: [
      way('to another file', (exercise) => ({
        ...eachTest(exercise, (_text, path) => ({ link: `${'../'.repeat(path.split('/').length - 1)}other.txt` })),
        'other.txt': decoyIn(mainTest(exercise).text, classOf(mainTest(exercise).path)),
      })),
      way('to /dev/null', (exercise) => ({ ...eachTest(exercise, () => ({ link: '/dev/null' })), ...other(exercise) })),
    ],
    expected: [
      inTests('turned round', (text) =>
        text
          .replaceAll('.isEqualTo(', '.isNotEqualTo(')
          .replace(/\bassertEquals\(/g, 'assertNotEquals(')
          .replaceAll('Assert.assertEquals;', 'Assert.assertNotEquals;'),
      ),
      inTests('errors of assertions are expected', (text) =>
        is4(text)
          ? text.replace(/(@(?:org\.junit\.)?Test)(?:\(.*\))?$/gm, '$1(expected = AssertionError.class)')
          : text.replace(
              /^( *)(assertThat\(.*);$/gm,
              '$1org.assertj.core.api.Assertions.assertThatThrownBy(() -> { $2; });',
            ),
      ),
      inTests('errors are expected', (text) =>
        is4(text)
          ? text.replace(/(@(?:org\.junit\.)?Test)(?:\(.*\))?$/gm, '$1(expected = Throwable.class)')
          : text.replace(
              /^( *)(assertThat\(.*);$/gm,
              '$1org.junit.jupiter.api.Assertions.assertThrows(Throwable.class, () -> { $2; });',
            ),
      ),
    ],
    ended: [
      inCode('halt(0)', 'Runtime.getRuntime().halt(0);'),
      inCode('System.exit(0)', 'System.exit(0);'),
      inCode(
        'prints what Surefire prints',
        'System.out.println("[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0"); System.out.flush(); Runtime.getRuntime().halt(0);',
      ),
      inCode(
        'halt(0) at the end',
        'Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));',
      ),
      inCode('kills its parent', 'ProcessHandle.current().parent().ifPresent(ProcessHandle::destroy);'),
      inModule('System.exit(0) in the code', (text) =>
        text.replace(
          /throw new UnsupportedOperationException\([^;]*\);/g,
          'System.exit(0);\n        throw new IllegalStateException();',
        ),
      ),
    ],
    renamed: [
      moved(
        'another name',
        (path) => path.replace(/Test\.java$/, 'Checks.java'),
        (exercise) =>
          Object.fromEntries(
            exercise.tests.map((path) => [
              path.replace(/Test\.java$/, 'Checks.java'),
              (exercise.files[path] ?? '').replace(/\bclass (\w+)Test\b/, 'class $1Checks'),
            ]),
          ),
      ),
      moved('another ending', (path) => `${path}.off`),
      moved('another ending, another in its place', (path) => `${path}.off`, other),
      moved('another folder', (path) => path.replace('src/test/', 'src/later/'), other),
      moved(
        'no pattern fits, another in its place',
        (path) => path.replace(/Test\.java$/, 'Spec.java'),
        (exercise) => ({
          ...Object.fromEntries(
            exercise.tests.map((path) => [
              path.replace(/Test\.java$/, 'Spec.java'),
              (exercise.files[path] ?? '').replace(/\bclass (\w+)Test\b/, 'class $1Spec'),
            ]),
          ),
          ...other(exercise),
        }),
      ),
    ],
  },
}
