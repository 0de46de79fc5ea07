package id

// Ids are text wherever they are written down: in documents, and as keys of objects there.

// MarshalText is the id as String has it.
func (o Operator) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads an id as ParseOperator does.
func (o *Operator) UnmarshalText(text []byte) error { return parse(o[:], string(text)) }

// MarshalText is the id as String has it.
func (d DataSet) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads an id as ParseDataSet does.
func (d *DataSet) UnmarshalText(text []byte) error { return parse(d[:], string(text)) }

// MarshalText is the id as String has it.
func (j Job) MarshalText() ([]byte, error) { return []byte(j.String()), nil }

// UnmarshalText reads an id as ParseJob does.
func (j *Job) UnmarshalText(text []byte) error { return parse(j[:], string(text)) }
