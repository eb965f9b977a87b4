"""The compiled half of Count-N, held to `countn.plain` and the rules by tests: values, reach, strategies."""
