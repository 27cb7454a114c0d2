/*
 * With which words the agents that people know, and the built-in one, ask for the summary with which they shorten their
 * conversation. An agent of a new version that asks in other words is missed: its context is then followed a little later.
 */
const QUESTIONS =
  'Your task is to create a detailed summary|You are performing a CONTEXT CHECKPOINT COMPACTION|Your context is nearly full\\.|Provide a detailed (?:prompt|summary) for continuing our conversation|Create a structured context checkpoint'

const ANYWHERE = new RegExp(QUESTIONS, 'i')
const AT_THE_START = new RegExp(
  `^\\W*(?:${QUESTIONS.replace('Your task', '(?:CRITICAL: Respond with TEXT ONLY[^]{0,400})?Your task')})`,
  'i',
)

/** Somewhere in a text. */
export const asksForSummary = (text: string): boolean => ANYWHERE.test(text)

/** A message that is this question, and does not only have its words in it. */
export const isSummaryQuestion = (text: string): boolean => AT_THE_START.test(text)

/** Who a model is told to be where the conversation to sum up is itself the message. */
export const IS_SUMMARIZER =
  /You are a context summarization assistant|You are a helpful AI assistant tasked with summarizing/i
