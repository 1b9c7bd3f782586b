/** A word or phrase that the project does not write. */
export interface WordRule {
  /** Finds whole words, in any case unless they open a sentence. Spaces also match line breaks. */
  readonly pattern: RegExp;
  /** The words to use. */
  readonly use: string;
  /** Folders that the rule is limited to. Without it the rule holds everywhere. */
  readonly under?: readonly string[];
}

/** Before the first word of a sentence. */
const SENTENCE_START = String.raw`(?<=^\s*|\u0001\s*|\n\s*\n\s*|[a-z)"][.!]\s+)`;

/** Rest of a statement: a question, or a heading, which has no full stop, is something else. */
const STATEMENT = String.raw`(?=[^.?\u0001]*\.)`;

const AUXILIARY =
  '(?:is|are|was|were|has|have|had|can|cannot|could|may|might|must|will|would|should|does|do)';

/** Words that begin another clause, in which a further verb belongs to that. */
const CLAUSE =
  '(?:that|which|who|whom|whose|what|when|while|if|until|as|than|after|before|since|because|where|how|whether|and|or|but|nor|it|they|he|she|we|you|there|nobody|somebody)';

/** The first verb of a clause as the subject: "What is left", "What belongs to another store". */
const INNER_VERB = `(?:${AUXILIARY}|(?:belong|wait|remain|begin|happen|come|go|stay|need|follow|point|load|leave|depend|count)s|goes)`;

/** The verb of the sentence, at most eight words later in the same clause. */
const OUTER_VERB = `(?:(?!${CLAUSE}\\b)[\\w'-]+\\s+){1,8}?${AUXILIARY}\\s+\\w`;

/**
 * "What belongs to another store is not shown." A fragment such as "What a check found." has no second verb and
 * passes. So does a clause that only a parser can distinguish from a fragment.
 */
export const SUBJECT_CLAUSE: WordRule = {
  pattern: new RegExp(
    `${SENTENCE_START}(?:What(?:ever)?|Who)\\s+${INNER_VERB}\\s+${OUTER_VERB}${STATEMENT}`,
    'g',
  ),
  use: 'name the subject instead of a clause',
};

/** "Of each method, one account is active." */
export const OPENING_OF: WordRule = {
  pattern: new RegExp(`${SENTENCE_START}Of\\s(?!course\\b)[^.,:;?\\u0001]*,${STATEMENT}`, 'g'),
  use: 'start with the subject',
};
