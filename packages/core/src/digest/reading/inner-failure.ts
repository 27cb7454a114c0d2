/** Lines with which runners inside of a test program name a failed test; a digest knows these runners. */
const LINES: readonly RegExp[] = [
  /^\[ {2}FAILED {2}\] \S/, // GoogleTest, cmocka
  /: FAILED:$/, // Catch2
  /^TEST CASE: {2}\S/, // doctest
  /: (?:fatal )?error: in "/, // Boost.Test
  /:\d{1,9}:[FE]:[^:]{0,300}:[^:]{1,300}:\d{1,9}: /, // libcheck
  /^not ok \d(?!.*# TODO)/, // TAP
  /^(?:FAIL|ERROR): \w{1,300} \(/, // unittest
  /^(?:FAILED|ERROR) \S{1,300}\.py(?:::| |$)/, // pytest
  /<(?:failure|error)[ >]/, // JUnit XML
]

export const namesInnerFailure = (line: string): boolean => LINES.some((form) => form.test(line))
