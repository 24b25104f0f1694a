/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Every model. Made by switchyard 0.1.0; edits are lost.
 */

declare namespace M0 {
/** What the model takes. */
export type Input = SoundEffectRequest;

/** What the model gives; the router does not check it. */
export type Output = Uint8Array;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type SoundEffectRequest = {
  /** (minLength: 1, maxLength: 450) */
  text: string;
  /** (format: "double", minimum: 0.5, maximum: 30) */
  duration_seconds?: number | null;
  /** @default false */
  loop?: boolean;
  /** @default "mp3_44100" */
  format?: "mp3_44100" | "wav_48000";
};
}

declare namespace M1 {
/**
 * What the model takes.
 * @example {"text":"The ferry leaves at nine.","voice":"alto","voice_settings":null}
 */
export type Input = {
  /** (minLength: 1, maxLength: 5000) */
  text: string;
  /**
   * (pattern: "^[a-z][a-z0-9-]*$")
   * @default "alto"
   */
  voice?: string;
  /** (minLength: 2, maxLength: 5) */
  language_code?: string | null;
  /**
   * (minimum: 0.5, maximum: 2)
   * @default 1
   */
  speed?: number;
  voice_settings?:
    | {
        /**
         * (minimum: 0, maximum: 1)
         * @default 0.5
         */
        stability?: number | null;
        /** (minimum: 0, maximum: 1) */
        similarity?: number | null;
      }
    | null;
};

/**
 * What the model gives; the router does not check it.
 * Raw audio; the answer's own media type says which kind.
 * (format: "binary")
 * @example "(binary audio bytes)"
 */
export type Output = Uint8Array | string;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;
}

declare namespace M2 {
/** What the model takes. */
export type Input = TranscribeInput;

/** What the model gives; the router does not check it. */
export type Output = Transcript;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type SpeakerRange = {
  /** (integer, minimum: 1) */
  min?: number;
  /** (integer, minimum: 1) */
  max?: number | null;
};

export type TranscribeInput = {
  /** (format: "uri") */
  audio_url: string;
  /**
   * (pattern: "^[a-z]{2}$")
   * @default null
   */
  language?: string | null;
  /** (maxProperties: 100) */
  vocabulary?: { [key: string]: number };
  speakers?: SpeakerRange | null;
  /** @default "word" */
  granularity?: "word" | "segment";
};

export type Transcript = {
  text: string;
  language?: string;
  words: Word[];
  speakers?: { [key: string]: {
    /** (minimum: 0) */
    seconds: number;
  } };
  summary?: string | null;
};

/**
 * The word, its start and end in seconds, then notes.
 * (minItems: 3, maxItems: 4)
 */
export type Word = [string, number, number, WordNote?];

export type WordNote = {
  speaker?: string;
  /** (minimum: 0, maximum: 1) */
  confidence?: number;
};
}

declare namespace M3 {
/** What the model takes. */
export type Input = StillProInput;

/** What the model gives; the router does not check it. */
export type Output = StillProOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "image-provider";

export type File = {
  /** (format: "uri") */
  url: string;
  file_name?: string | null;
  /** (integer, minimum: 0) */
  file_size?: number | null;
};

export type Reference = {
  /** (format: "uri", maxLength: 2083) */
  image_url: string;
  /**
   * (exclusiveMinimum: 0, maximum: 1)
   * @default 1
   */
  weight?: number;
};

export type StillProInput = {
  /** (minLength: 1, maxLength: 2500) */
  prompt: string;
  /** @default "1:1" */
  aspect_ratio?: "1:1" | "4:3" | "3:4" | "16:9" | "9:16";
  /**
   * (integer, minimum: 1, maximum: 8)
   * @default 1
   */
  num_images?: number;
  /** (integer, minimum: 0) */
  seed?: number;
  /**
   * (minimum: 0, maximum: 1)
   * @default 0.5
   */
  style_strength?: number;
  /** (maxItems: 3) */
  reference_images?: Reference[];
};

export type StillProOutput = {
  images: File[];
  description?: string | null;
  nsfw_flags?: boolean[];
};
}

declare namespace M4 {
/** What the model takes. */
export type Input = Composite2Input;

/** What the model gives; the router does not check it. */
export type Output = ImageOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type Canvas_0 = {
  /** (integer, minimum: 1, maximum: 8192) */
  width: number;
  /** (integer, minimum: 1, maximum: 8192) */
  height: number;
  /**
   * (pattern: "^#[0-9a-fA-F]{6}$")
   * @default "#ffffff"
   */
  background?: string;
};

export type CaptionLayer = {
  kind: "caption";
  /** (minLength: 1) */
  words: string;
  font?: {
    /** @default "sans" */
    family?: "serif" | "sans" | "mono";
    /**
     * (minimum: 4, maximum: 400)
     * @default 16
     */
    size?: number;
  };
};

export type Composite2Input = {
  /** The sheet that everything lies on. */
  canvas: Canvas_0;
  /** (minItems: 1, maxItems: 50) */
  layers: (PictureLayer | CaptionLayer)[];
  /** Values by name, for captions. */
  variables?: { [key: string]: Part3dVariable };
  /** Laid over everything else. */
  watermark?: PictureLayer | null;
};

export type File = {
  /** (format: "uri") */
  url: string;
};

export type ImageOutput = {
  /** The finished sheet. */
  image: File;
  layer_errors?: { [key: string]: string[] };
};

export type Part3dVariable = { text: string; colour?: string };

export type PictureLayer = {
  kind: "picture";
  source: File;
  /**
   * Two corners.
   * (minItems: 2, maxItems: 2)
   */
  box?: number[][];
};
}

declare namespace M5 {
/**
 * What the model takes.
 * Not described yet; any JSON object is accepted.
 * @example {"prompt":"A lighthouse."}
 */
export type Input = { [key: string]: unknown };

/**
 * What the model gives; the router does not check it.
 * Not described yet.
 * @example {"url":"https://assets.example.com/image-provider/experimental/0.png"}
 */
export type Output = { [key: string]: unknown } | string | Uint8Array;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;
}

declare namespace M6 {
/** What the model takes. */
export type Input = RestyleRequest;

/** What the model gives; the router does not check it. */
export type Output = RestyleResponse;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type RestyleRequest = {
  /**
   * A picture that is already on the web.
   * (format: "uri")
   */
  image_url?: string;
  /**
   * The picture itself.
   * (format: "byte")
   */
  image_base64?: string;
  style: "watercolour" | "charcoal" | "pixel" | "comic";
  /**
   * (minimum: 0, maximum: 1)
   * @default 0.75
   */
  strength?: number;
  mask?:
    | {
        /** (format: "uri") */
        url: string;
        /** @default false */
        invert?: boolean;
      }
    | null;
} & ({ image_url: string; image_base64?: never } | { image_url?: never; image_base64: string });

export type RestyleResponse = {
  status: string;
  /** (minimum: 0, maximum: 1) */
  progress?: number | null;
  result: Sample;
};

export type Sample = {
  /** (format: "uri") */
  sample: string;
  /** (integer, format: "int64") */
  seed?: number;
  /** (format: "double") */
  cost?: number | null;
};
}

declare namespace M7 {
/**
 * What the model takes.
 * @example {"prompt":"A paper boat on a still lake at dawn.","image_size":{"width":1024,"height":768},"num_images":2,"seed":null}
 */
export type Input = {
  /**
   * What the picture shows.
   * (minLength: 1, maxLength: 4000)
   */
  prompt: string;
  /**
   * What the picture must not show.
   * (maxLength: 2000)
   */
  negative_prompt?: string | null;
  /**
   * A named size, or an exact one.
   * @default "square"
   */
  image_size?: "square" | "portrait_4_3" | "landscape_16_9" | ExactSize;
  /**
   * (integer, minimum: 1, maximum: 4)
   * @default 1
   */
  num_images?: number;
  /**
   * (exclusiveMinimum: 0, maximum: 20)
   * @default 3.5
   */
  guidance_scale?: number;
  /** (integer, format: "int64", minimum: 0, maximum: 4294967295) */
  seed?: number | null;
  /** @default "png" */
  output_format?: "jpeg" | "png" | "webp";
  /**
   * Keep a draft that a later call can refine.
   * @default false
   */
  draft?: boolean;
  /**
   * Has no effect any more.
   * @default false
   * @deprecated
   */
  sync_mode?: boolean;
};

/**
 * What the model gives; the router does not check it.
 * @example {"id":"5d0d8a5e-3a52-4f37-9a37-0f0c5d0b3c11","images":[{"url":"https://assets.example.com/image-provider/still-2.1/0.png","width":1024,"height":768,"content_type":"image/png"},{"url":"https://assets.example.com/image-provider/still-2.1/1.png","width":1024,"height":768,"content_type":null}],"draft_cache":{"url":"https://assets.example.com/image-provider/still-2.1/draft.bin"},"seed":41,"timings":{"queue":0.2,"render":3.75}}
 */
export type Output = {
  /** (format: "uuid") */
  id?: string;
  /** (minItems: 1, maxItems: 4) */
  images: [File, ...File[]];
  draft_cache?: File;
  /** (integer, format: "int64") */
  seed: number;
  /** Seconds by stage. */
  timings?: { [key: string]: number };
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "image-provider-two" | "image-video-provider";

export type ExactSize = {
  /** (integer, minimum: 256, maximum: 4096, multipleOf: 8) */
  width: number;
  /** (integer, minimum: 256, maximum: 4096, multipleOf: 8) */
  height: number;
};

export type File = {
  /**
   * Where the file can be fetched.
   * (format: "uri")
   */
  url: string;
  /** (integer, minimum: 1) */
  width?: number;
  /** (integer, minimum: 1) */
  height?: number;
  content_type?: string | null;
};
}

declare namespace M8 {
/** What the model takes. */
export type Input = AnimateInput;

/** What the model gives; the router does not check it. */
export type Output = AnimateOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type AnimateInput = {
  /** (format: "uri", minLength: 1, maxLength: 2083) */
  image_url: string;
  /** (format: "uri") */
  tail_image_url?: string | null;
  /** (maxLength: 2500) */
  prompt: string;
  /** @default "5" */
  duration?: "5" | "10";
  /**
   * (minimum: 0, maximum: 1)
   * @default 0.5
   */
  cfg_scale?: number;
};

export type AnimateOutput = { video: File };

export type File = {
  /** (format: "uri") */
  url: string;
  content_type?: string | null;
  /** (integer) */
  file_size?: number | null;
};
}

declare namespace M9 {
/** What the model takes. */
export type Input = DrawInput;

/** What the model gives; the router does not check it. */
export type Output = DrawOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "image-provider";

export type DrawInput = {
  /** (minLength: 1) */
  prompt: string;
  /** @default "square" */
  image_size?: "square" | "portrait" | "landscape";
  /**
   * (integer, minimum: 1, maximum: 4)
   * @default 1
   */
  num_images?: number;
  /** (integer) */
  seed?: number | null;
  /** @default [] */
  loras?: LoraWeight[];
  /** @default null */
  safety?: "strict" | "relaxed" | null;
};

export type DrawOutput = {
  /** One hosted address a picture. */
  images: string[];
  has_nsfw_concepts?: boolean[];
  prompt?: string;
};

export type LoraWeight = {
  /** (minLength: 1) */
  path: string;
  /**
   * (minimum: 0, maximum: 4)
   * @default 1
   */
  scale?: number;
  weight_name?: string | null;
};
}

declare namespace M10 {
/** What the model takes. */
export type Input = RigInput;

/** What the model gives; the router does not check it. */
export type Output = RigOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type File = {
  /** (format: "uri") */
  url: string;
  file_name?: string | null;
};

export type RigInput = {
  /** (format: "uri") */
  model_url?: string;
  /** (format: "uuid4") */
  input_task_id?: string;
  /** (format: "uri") */
  texture_url?: string;
  /**
   * (exclusiveMinimum: 0, maximum: 10)
   * @default 1.7
   */
  height_meters?: number;
  bones?: { [key: string]: {
    /** (minimum: 0) */
    length: number;
    [Symbol.iterator]?: never;
  } };
} & ({ model_url: string } | { input_task_id: string });

export type RigOutput = { model_glb: File; animations?: { [key: string]: File } };
}

declare namespace M11 {
/**
 * What the model takes.
 * Not described yet; any JSON object is accepted.
 * @example {"text":"Hello"}
 */
export type Input = { [key: string]: unknown };

/**
 * What the model gives; the router does not check it.
 * @example {"text":"Hello back","tokens":2}
 */
export type Output = {
  text: string;
  /** (integer, minimum: 0) */
  tokens?: number;
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;
}

declare namespace M12 {
/**
 * What the model takes.
 * @example {"prompt":"Hello","options":{"trace":true}}
 */
export type Input = {
  /** (minLength: 1) */
  prompt: string;
  options?: { [key: string]: unknown };
};

/**
 * What the model gives; the router does not check it.
 * Not described yet; look at the media type first.
 * @example {"answer":"Hello back"}
 */
export type Output = { [key: string]: unknown } | string | Uint8Array;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;
}

declare namespace M13 {
/** What the model takes. */
export type Input = OutcomeInput;

/** What the model gives; the router does not check it. */
export type Output = OutcomeOutput;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "sandbox";

/**
 * What the alternate provider does when it is asked; odd_output: its result cannot be converted back.
 * @default "succeed"
 */
export type AlternateOutcome =
  | "succeed"
  | "echo"
  | "odd_output"
  | "content_policy_violation"
  | "provider_error"
  | "uninterpretable"
  | "provider_timeout"
  | "refused_request";

/** The alternate of sandbox/outcomes. Every member is optional. */
export type OutcomeInput = {
  alternate_outcome?: AlternateOutcome;
  /**
   * (integer, minimum: 0, maximum: 60000)
   * @default 0
   */
  delay_ms?: number;
  /** (maxLength: 200) */
  prompt?: string;
};

/** With the alternate outcome odd_output, outcome is missing and state stands in its place. */
export type OutcomeOutput = {
  outcome?: string;
  state?: string;
  served_by: string;
  received: Received;
  engine?: string;
};

/** What reached the provider. */
export type Received = {
  provider: string;
  model: string;
  /**
   * Length of the body as it was forwarded.
   * (integer, minimum: 0)
   */
  bytes: number;
  /**
   * Digest over the body as it was forwarded.
   * (pattern: "^[0-9a-f]{64}$")
   */
  sha256: string;
  /** The body itself, byte for byte; with the outcome echo only. */
  text?: string;
};
}

declare namespace M14 {
/** What the model takes. */
export type Input = OutcomeInput;

/** What the model gives; the router does not check it. */
export type Output = unknown;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "sandbox-two";

/**
 * What the alternate provider does when it is asked; odd_output: its result cannot be converted back.
 * @default "succeed"
 */
export type AlternateOutcome =
  | "succeed"
  | "echo"
  | "odd_output"
  | "content_policy_violation"
  | "provider_error"
  | "uninterpretable"
  | "provider_timeout"
  | "refused_request";

export type AssetWish = {
  /** hosted_24h, hosted_12h: copied to service storage. failed_copy: the copy failed, the provider's reference stays. provider: never copied. inline: bytes in the result. direct_write, inline_video: a member of response.videos, as a link or as bytes. A result with a provider's reference cannot be replayed from a record. */
  hosting: "hosted_24h" | "hosted_12h" | "failed_copy" | "provider" | "inline" | "direct_write" | "inline_video";
  /** @default "image/png" */
  media_type?:
    | "image/png"
    | "image/jpeg"
    | "image/webp"
    | "video/mp4"
    | "audio/wav"
    | "model/gltf-binary"
    | "application/octet-stream";
};

export type Entry = {
  /** (of integers) */
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: { [key: string]: unknown };
  input?: unknown;
};

/** Selects what becomes of the run. Every member is optional; an empty object succeeds at once. */
export type OutcomeInput = {
  /**
   * succeed: A result. The default. echo: A result that repeats the body which reached the provider. content_policy_violation: The provider refuses on content-policy grounds. provider_error: The provider reports a failure of its own. uninterpretable: The provider's answer cannot be turned into a result. provider_timeout: The provider does not answer within its deadline. deadline_exceeded: The router stops holding the call. The accepted work ends delay_ms after dispatch and can be collected with the same key, unless collectable is false. refused_input: The provider finds fields at fault, as entries lists them. refused_request: The provider turns the request down as a whole. proxy_answer: The run succeeds, but a proxy answers the caller in the form that proxy_body names. internal_error: The router fails on the way. service_unavailable: A dependency of the router is unavailable.
   * @default "succeed"
   */
  outcome?:
    | "succeed"
    | "echo"
    | "content_policy_violation"
    | "provider_error"
    | "uninterpretable"
    | "provider_timeout"
    | "deadline_exceeded"
    | "refused_input"
    | "refused_request"
    | "proxy_answer"
    | "internal_error"
    | "service_unavailable";
  /**
   * How long the provider takes, in milliseconds.
   * (integer, minimum: 0, maximum: 3600000)
   * @default 0
   */
  delay_ms?: number;
  /**
   * Length of the result's padding. A response of more than 1 MiB is too long for an idempotency record, so its key cannot be replayed.
   * (integer, minimum: 0, maximum: 16777216)
   * @default 0
   */
  size_bytes?: number;
  /**
   * The HTTP status that the provider gives.
   * (integer, minimum: 200, maximum: 599)
   */
  upstream_status?: number;
  /**
   * Sent in the credits header of a result.
   * (integer, minimum: 0, maximum: 1000000)
   */
  credits_used?: number;
  /**
   * A media type other than JSON: the result is then a file of that type, or plain text.
   * (pattern: "^[a-z]+/[a-z0-9][a-z0-9.+-]*$", maxLength: 80)
   */
  media_type?: string;
  /**
   * With refused_input: the entries of the 422, passed through as they are. Without them one is made up.
   * (maxItems: 100)
   */
  entries?: Entry[];
  /**
   * With deadline_exceeded: whether the router kept a handle to the accepted work.
   * @default true
   */
  collectable?: boolean;
  /**
   * With proxy_answer: what the proxy sends.
   * @default "html"
   */
  proxy_body?: "html" | "truncated_json" | "plain_text";
  /**
   * With proxy_answer: the status that the proxy sends.
   * @default 502
   */
  proxy_status?: 200 | 429 | 500 | 502 | 503 | 504;
  /**
   * Assets that the result holds, in this order.
   * (maxItems: 16)
   */
  assets?: AssetWish[];
  alternate_outcome?: AlternateOutcome;
  /**
   * Any text; the alternate takes at most 200 characters.
   * (maxLength: 4000)
   */
  prompt?: string;
  /**
   * Any text; the alternate has no such field.
   * (maxLength: 4000)
   */
  note?: string;
};
}

declare namespace M15 {
/** What the model takes. */
export type Input = ChatRequest;

/** What the model gives; the router does not check it. */
export type Output = ChatResponse;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type AssistantMessage = {
  role: "assistant";
  content?: string | null;
  tool_calls?: ToolCall[];
};

export type ChatRequest = {
  /** (minItems: 1) */
  messages: (SystemMessage | UserMessage | AssistantMessage)[];
  /**
   * (minimum: 0, maximum: 2)
   * @default 1
   */
  temperature?: number | null;
  /** (integer, minimum: 1, maximum: 8192) */
  max_tokens?: number;
  /** - array, minItems: 1, maxItems: 4 */
  stop?: string | string[] | null;
  /** (uniqueItems: true) */
  tools?: Tool[];
  logit_bias?: { [key: string]: number };
  /** @deprecated */
  stream?: false;
  /**
   * Who asks.
   * (maxLength: 32)
   */
  user?: string;
};

export type ChatResponse = {
  id: string;
  model?: string;
  /** (minItems: 1) */
  choices: [{
    /** (integer, minimum: 0) */
    index: number;
    message: AssistantMessage;
    finish_reason: "stop" | "length" | "tool_calls" | null;
  }, ...{
    /** (integer, minimum: 0) */
    index: number;
    message: AssistantMessage;
    finish_reason: "stop" | "length" | "tool_calls" | null;
  }[]];
  usage?: {
    /** (integer, minimum: 0) */
    input_tokens: number;
    /** (integer, minimum: 0) */
    output_tokens: number;
  };
};

/** (minLength: 1, pattern: "^[A-Za-z0-9_-]+$") */
export type Name = string;

export type ParameterShape = {
  type: "object" | "array" | "string" | "number" | "boolean";
  properties?: { [key: string]: ParameterShape };
  items?: ParameterShape;
  required?: string[];
};

export type Part =
  | { type: "text"; text: string }
  | {
      type: "image";
      /** (format: "uri") */
      url: string;
      /** @default "low" */
      detail?: "low" | "high";
    };

export type SystemMessage = { role: "system"; content: string };

export type Tool = {
  name: Name;
  description?: string;
  parameters: ParameterShape;
};

export type ToolCall = { name: string; arguments: { [key: string]: unknown } };

export type UserMessage = {
  role: "user";
  /** - array, minItems: 1 */
  content: string | Part[];
  name?: Name;
};
}

declare namespace M16 {
/** What the model takes. */
export type Input = class2;

/** What the model gives; the router does not check it. */
export type Output = Record2;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

/** `${1}` *\/ */
export type Part3d = { "x-y"?: number | null };

export type Record2 = {
  function: return2;
  constructor?: string | Object["constructor"];
  __esModule?: boolean;
};

export type class2 = {
  /**
   * Ends the comment *\/ export const owned = 1; /* and `${process.exit(7)}` "double" 'single' \ back
   * new line
   * returnseparatorparagraph <script>alert(1)</script> {@link x} // eslint-disable @ts-nocheck   end
   * @default "*\/ owned()"
   */
  default: string;
  /**
   * Slash and tilde in the key.
   * @default "`${owned}`"
   */
  "a/b~c"?: "`${owned}`" | "*/" | "__proto__" | "'; owned(); '" | "\\" | "\n" | "\u2028" | "</script>" | "";
  /**
   * Quotes in the key. *\/ //
   * (integer, minimum: 0)
   */
  "it's \"quoted\""?: number;
  /** A line break in the key. */
  "line\nbreak"?: string[];
  /** @default true */
  "*/ alert(1) /*"?: boolean;
  /** (pattern: "^[`$]*\/\\*?$") */
  "${key}"?: string;
  "3d"?: Part3d;
  /** The name of an inherited member. */
  constructor?: string | Object["constructor"];
  toString?: string | Object["toString"];
  /**
   * *\/ deprecated
   * @deprecated
   */
  new?: boolean;
  /** @example "" */
  "ümläut 😀"?: string;
};

/**
 * Ends the comment *\/ export const owned = 1; /* and `${process.exit(7)}` "double" 'single' \ back
 * new line
 * returnseparatorparagraph <script>alert(1)</script> {@link x} // eslint-disable @ts-nocheck   end
 */
export type return2 = "return" | "await" | "*/";
}

declare namespace M17 {
/**
 * What the model takes.
 * @example {"input":["quay","berth"],"dimensions":256}
 */
export type Input = {
  /**
   * - string, minLength: 1
   * - array, minItems: 1, maxItems: 64
   */
  input: string | string[];
  /** @default 512 */
  dimensions?: 256 | 512 | 1024;
  /** @default "float" */
  encoding?: "float" | "base64";
};

/** What the model gives; the router does not check it. */
export type Output = {
  vectors: (number[] | string)[];
  /** (integer) */
  dimensions?: number;
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;
}

declare namespace M18 {
/**
 * What the model takes.
 * @example {"text":"First we sow. Then we reap.","depth":2,"numbered":"roman"}
 */
export type Input = {
  /** (minLength: 1) */
  text: string;
  /**
   * (integer, minimum: 1, maximum: 6)
   * @default 3
   */
  depth?: number;
  /** @default "en" */
  language?: string | null;
  /** @default false */
  numbered?: boolean | "roman" | "arabic";
};

/** What the model gives; the router does not check it. */
export type Output = Section;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type Section = {
  heading: string;
  summary?: string | null;
  children: Section[];
  next?: Section | null;
};
}

declare namespace M19 {
/**
 * What the model takes.
 * @example {"instances":[{"prompt":"A kite over dunes.","image":{"bytesBase64Encoded":"aGFyYm91cg==","mimeType":"image/png"}}],"parameters":{"durationSeconds":4,"sampleCount":2,"generateAudio":false}}
 */
export type Input = {
  /** (minItems: 1, maxItems: 1) */
  instances: {
    /** (minLength: 1) */
    prompt: string;
    image?: {
      /** (format: "byte") */
      bytesBase64Encoded?: string;
      gcsUri?: string;
      mimeType?: "image/jpeg" | "image/png";
    } & ({ bytesBase64Encoded: string; gcsUri?: never } | { bytesBase64Encoded?: never; gcsUri: string });
    lastFrame?: {
      /** (format: "byte") */
      bytesBase64Encoded?: string;
      gcsUri?: string;
      mimeType?: "image/jpeg" | "image/png";
    } & ({ bytesBase64Encoded: string; gcsUri?: never } | { bytesBase64Encoded?: never; gcsUri: string });
    /** (maxItems: 3) */
    referenceImages?: {
      image: {
        /** (format: "byte") */
        bytesBase64Encoded?: string;
        gcsUri?: string;
        mimeType?: "image/jpeg" | "image/png";
      } & ({ bytesBase64Encoded: string; gcsUri?: never } | { bytesBase64Encoded?: never; gcsUri: string });
      referenceType: "asset" | "style";
      referenceId?: string;
    }[];
  }[];
  parameters?: {
    /** @default "16:9" */
    aspectRatio?: "16:9" | "9:16";
    /** (minimum: 4, maximum: 8) */
    durationSeconds?: number;
    /**
     * (integer, minimum: 1, maximum: 4)
     * @default 1
     */
    sampleCount?: number;
    /** (integer, format: "uint32", minimum: 0) */
    seed?: number;
    generateAudio?: boolean;
    /** Where the provider is to write, in place of inline bytes. */
    storageUri?: string;
  };
};

/**
 * What the model gives; the router does not check it.
 * @example {"name":"operations/clip-17","done":true,"response":{"@type":"clip.response","raiMediaFilteredCount":0,"videos":[{"bytesBase64Encoded":"c2FtcGxlIGNsaXA=","mimeType":"video/mp4"},{"gcsUri":"https://assets.example.com/video-provider-three/clip-3.1-generate-001/sample_1.mp4","mimeType":"video/mp4"}]}}
 */
export type Output = {
  name?: string;
  done: boolean;
  error?: {
    /** (integer) */
    code?: number;
    message?: string;
  };
  response: {
    "@type"?: string;
    /** (integer, minimum: 0) */
    raiMediaFilteredCount?: number;
    raiMediaFilteredReasons?: string[];
    videos?: ClipVideo[];
  };
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type ClipVideo = {
  /** (format: "byte") */
  bytesBase64Encoded?: string;
  gcsUri?: string;
  mimeType?: string;
};
}

declare namespace M20 {
/** What the model takes. */
export type Input = ExtendRequest;

/** What the model gives; the router does not check it. */
export type Output = ExtendResponse;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "video-provider";

export type ExtendRequest = {
  video: {
    /** (minLength: 1) */
    id?: string;
    /** (format: "uri") */
    url?: string;
  } & ({ id: string; url?: never } | { id?: never; url: string });
  /** (maxLength: 2000) */
  prompt?: string;
  /** (format: "uri") */
  prompt_image?: string;
  /**
   * (integer, minimum: 1, maximum: 10)
   * @default 5
   */
  duration?: number;
  motion_mode?: "normal" | "fast" | null;
};

export type ExtendResponse = {
  Resp: {
    /** (integer, format: "int64") */
    id?: number;
    /** (format: "uri") */
    url: string;
    /** (integer, minimum: 0) */
    size?: number;
  };
  /** (integer) */
  ErrCode?: number;
  ErrMsg?: string;
};
}

declare namespace M21 {
/** What the model takes. */
export type Input = {
  /** (minLength: 3, maxLength: 1500) */
  prompt: string;
  /**
   * (integer, minimum: 1, maximum: 4)
   * @default 1
   */
  count?: number;
};

/** What the model gives; the router does not check it. */
export type Output = { id: string; output: string[] };

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;
}

declare namespace M22 {
/** What the model takes. */
export type Input = MotionRequest;

/** What the model gives; the router does not check it. */
export type Output = MotionResponse;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;

export type Asset = {
  /** (format: "uri") */
  url: string;
  /** (format: "date-time") */
  expires_hint?: string | null;
};

export type Camera = FixedCamera | PresetCamera | PathCamera;

export type FixedCamera = { type: "fixed" };

export type MotionRequest = {
  /** (minLength: 3, maxLength: 1500) */
  prompt: string;
  camera?: Camera;
  /**
   * (integer, minimum: 2, maximum: 12)
   * @default 6
   */
  duration?: number;
  /** @default 24 */
  fps?: 24 | 30;
};

export type MotionResponse = {
  task: { id: string; state: "done" };
  video: {
    /** (format: "uri") */
    url: string;
    /** (format: "date-time") */
    expires_hint?: string | null;
    /** (minimum: 0) */
    seconds: number;
  };
  last_frame?: Asset;
};

export type PathCamera = {
  type: "path";
  /** (minItems: 2) */
  points: Point[];
};

export type Point = {
  x: number;
  y: number;
  z: number;
};

export type PresetCamera = {
  type: "pan" | "tilt" | "zoom";
  /**
   * (minimum: -1, maximum: 1)
   * @default 0
   */
  speed?: number;
};
}

declare namespace M23 {
/**
 * What the model takes.
 * @example {"mode":"generate","prompt_text":"Rain begins to fall on a tin roof.","duration":5,"focus":[0.5,0.25],"keyframes":[[0,{"url":"https://assets.example.com/samples/roof.png"}],[5,{"url":"https://assets.example.com/samples/rain.png"},"slow"]]}
 */
export type Input = {
  /** Always `generate`. */
  mode: "generate";
  /** (maxLength: 1000) */
  prompt_text?: string | null;
  /** (format: "uri") */
  prompt_image?: string;
  /** @default "1280:720" */
  ratio?: "1280:720" | "720:1280" | "960:960";
  /** @default 5 */
  duration?: 5 | 10;
  /**
   * Where to look, from the upper left corner.
   * (minItems: 2)
   */
  focus?: [number, number];
  /** (maxItems: 8) */
  keyframes?: [number, Frame, (string | null)?, ...unknown[]][];
  moderation?: {
    /** @default "auto" */
    public_figures?: "auto" | "low";
  };
} & ({ prompt_text: string | null } | { prompt_image: string });

/** What the model gives; the router does not check it. */
export type Output = ClipResult;

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = "video-provider-two";

export type ClipResult = {
  id: string;
  status: "SUCCEEDED";
  /** (minItems: 1) */
  output: [string, ...string[]];
  /** (format: "uri") */
  last_frame_url?: string;
  failure?: { code: string } | null;
};

export type Frame = {
  /** (format: "uri") */
  url: string;
  /**
   * (minimum: 0, maximum: 1)
   * @default 1
   */
  strength?: number;
};
}

declare namespace M24 {
/**
 * What the model takes.
 * (minProperties: 1)
 * @example {"video_url":"https://assets.example.com/samples/walk.mp4","before_seconds":2}
 */
export type Input = {
  /** (format: "uri") */
  video_url: string;
  /**
   * (integer, minimum: 0, maximum: 10)
   * @default 0
   */
  before_seconds?: number;
  /**
   * (integer, minimum: 0, maximum: 10)
   * @default 4
   */
  after_seconds?: number;
};

/**
 * What the model gives; the router does not check it.
 * @example {"video_url":"https://assets.example.com/video-provider/two-extend/long.mp4","seconds":14}
 */
export type Output = {
  /** (format: "uri") */
  video_url: string;
  seconds?: number;
};

/** Providers that the document names beside the model's own; others may exist. */
export type Alternates = never;
}

export interface AllModels {
  "audio-provider/sound-effects": { input: M0.Input; output: M0.Output; alternates: M0.Alternates };
  "audio-provider/speech_v2": { input: M1.Input; output: M1.Output; alternates: M1.Alternates };
  "audio-provider/transcribe": { input: M2.Input; output: M2.Output; alternates: M2.Alternates };
  "image-provider-two/still-pro": { input: M3.Input; output: M3.Output; alternates: M3.Alternates };
  "image-provider/composite_layers": { input: M4.Input; output: M4.Output; alternates: M4.Alternates };
  "image-provider/experimental": { input: M5.Input; output: M5.Output; alternates: M5.Alternates };
  "image-provider/restyle": { input: M6.Input; output: M6.Output; alternates: M6.Alternates };
  "image-provider/still-2.1": { input: M7.Input; output: M7.Output; alternates: M7.Alternates };
  "image-video-provider/animate": { input: M8.Input; output: M8.Output; alternates: M8.Alternates };
  "image-video-provider/draw-1": { input: M9.Input; output: M9.Output; alternates: M9.Alternates };
  "mesh-provider/3d-rig": { input: M10.Input; output: M10.Output; alternates: M10.Alternates };
  "raw-provider/open-input": { input: M11.Input; output: M11.Output; alternates: M11.Alternates };
  "raw-provider/passthrough": { input: M12.Input; output: M12.Output; alternates: M12.Alternates };
  "sandbox-two/outcomes": { input: M13.Input; output: M13.Output; alternates: M13.Alternates };
  "sandbox/outcomes": { input: M14.Input; output: M14.Output; alternates: M14.Alternates };
  "text-provider/4b-instruct": { input: M15.Input; output: M15.Output; alternates: M15.Alternates };
  "text-provider/awkward-words": { input: M16.Input; output: M16.Output; alternates: M16.Alternates };
  "text-provider/embed": { input: M17.Input; output: M17.Output; alternates: M17.Alternates };
  "text-provider/outline": { input: M18.Input; output: M18.Output; alternates: M18.Alternates };
  "video-provider-three/clip-3.1-generate-001": { input: M19.Input; output: M19.Output; alternates: M19.Alternates };
  "video-provider-two/extend": { input: M20.Input; output: M20.Output; alternates: M20.Alternates };
  "video-provider/frame": { input: M21.Input; output: M21.Output; alternates: M21.Alternates };
  "video-provider/motion4-turbo": { input: M22.Input; output: M22.Output; alternates: M22.Alternates };
  "video-provider/motion4_turbo": { input: M23.Input; output: M23.Output; alternates: M23.Alternates };
  "video-provider/two-extend": { input: M24.Input; output: M24.Output; alternates: M24.Alternates };
}
export declare const modelIds: readonly (keyof AllModels)[];

declare module "@switchyard/model-router" {
  interface ModelsOfAll extends AllModels {}
}
