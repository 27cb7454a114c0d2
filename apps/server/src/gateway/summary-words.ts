/*
 * The words with which the known agents, and the built-in one, ask for the summary that shortens their conversation. If
 * a new version asks in other words, that is missed, and the context is followed a little later.
 */
const QUESTIONS =
  'Your task is to create a detailed summary|You are performing a CONTEXT CHECKPOINT COMPACTION|Your context is nearly full\\.|Provide a detailed (?:prompt|summary) for continuing our conversation|Create a structured context checkpoint'

const ANYWHERE = new RegExp(QUESTIONS, 'i')
const AT_THE_START = new RegExp(
  `^\\W*(?:${QUESTIONS.replace('Your task', '(?:CRITICAL: Respond with TEXT ONLY[^]{0,400})?Your task')})`,
  'i',
)

/** Whether the question is somewhere in a text. */
export const asksForSummary = (text: string): boolean => ANYWHERE.test(text)

/** Whether a message is this question, and does not merely contain its words. */
export const isSummaryQuestion = (text: string): boolean => AT_THE_START.test(text)

/** The model's role when the conversation to summarize is itself the message. */
export const IS_SUMMARIZER =
  /You are a context summarization assistant|You are a helpful AI assistant tasked with summarizing/i
